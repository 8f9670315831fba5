package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What two gateways answer while their memcached is dead, frozen or has forgotten everything, and afterwards. */
class LedgerFaultsIT {

    private final TestOrigin origin = new TestOrigin();
    private final ServerProcess memcached = new ServerProcess(
            "memcached", ServerProcess.freePort(), "-l", "127.0.0.1", "-p", "{port}", "-U", "0", "-M", "-u", "nobody");
    private final List<String> spent = new ArrayList<>();

    @TempDir
    private Path folder;

    private GatewayProcess one;
    private GatewayProcess two;

    @BeforeEach
    void start() throws IOException {
        memcached.start();
        String yaml = Replicas.yaml(2, Replicas.ring(folder), origin.address(), memcached.address());
        one = new GatewayProcess("one", yaml, folder);
        two = new GatewayProcess("two", yaml, folder);
        one.awaitReady();
        two.awaitReady();
        for (int i = 0; i < 5; i++) {
            spendFreshOne();
        }
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
        memcached.close();
        origin.close();
    }

    private void spendFreshOne() {
        String token = Replicas.freshToken(one.port());
        assertThat(Replicas.redeem(two.port(), token)).isEqualTo(200);
        spent.add(token);
    }

    private void nothingSpentPassesAgain() {
        int before = origin.received().size();
        for (String token : spent) {
            assertThat(Replicas.redeem(one.port(), token)).isIn(401, 503);
            assertThat(Replicas.redeem(two.port(), token)).isIn(401, 503);
        }
        assertThat(origin.received()).hasSize(before);
    }

    private void freshTokensPassAgain() {
        await().atMost(20, TimeUnit.SECONDS)
                .until(() -> Replicas.redeem(two.port(), Replicas.freshToken(one.port())) == 200);
        for (int i = 0; i < 10; i++) {
            spendFreshOne();
        }
    }

    @Test
    void refusesEveryTokenWhileItsServerIsDeadAndHealsWhenItComesBackEmpty() {
        memcached.kill();
        String kept = Replicas.freshToken(one.port());
        assertThat(Replicas.redeem(one.port(), kept)).isEqualTo(503);
        nothingSpentPassesAgain();
        memcached.start();
        freshTokensPassAgain();
        nothingSpentPassesAgain();
    }

    @Test
    void answersEveryTokenWhileItsServerIsFrozenAndHealsWhenItThaws() {
        memcached.freeze();
        assertThat(Replicas.redeem(one.port(), Replicas.freshToken(one.port()))).isEqualTo(503);
        assertThat(Replicas.redeem(two.port(), Replicas.freshToken(two.port()))).isEqualTo(503);
        nothingSpentPassesAgain();
        memcached.thaw();
        freshTokensPassAgain();
        nothingSpentPassesAgain();
    }

    @Test
    void acceptsNothingAgainThatWasSpentBeforeItsServerForgot() {
        memcached.restartEmpty();
        nothingSpentPassesAgain();
        freshTokensPassAgain();
        nothingSpentPassesAgain();
    }

    @Test
    void givesATokenBackWhoseUpstreamCouldNotBeReached() {
        origin.close();
        String token = Replicas.freshToken(one.port());
        assertThat(Replicas.redeem(one.port(), token)).isEqualTo(502);
        await().atMost(10, TimeUnit.SECONDS).until(() -> Replicas.redeem(two.port(), token) == 502);
    }
}
