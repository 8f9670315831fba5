package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.seal.KeyRing;
import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The ring of two replicas is changed as docs/operations.md says, one replica after the other: each takes what the other gave all the time. */
@Tag("long")
class RingRotationIT {

    private static final String OLD = KeyRing.newLine();
    private static final String NEW = KeyRing.newLine();

    @RegisterExtension
    private static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    @TempDir
    private Path folder;

    private final TestOrigin origin = new TestOrigin();
    private final List<GatewayProcess> replicas = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        replicas.add(replica(0, OLD));
        replicas.add(replica(1, OLD));
        replicas.forEach(GatewayProcess::awaitReady);
    }

    @AfterEach
    void stop() {
        replicas.forEach(GatewayProcess::close);
        origin.close();
    }

    private GatewayProcess replica(int number, String... lines) throws IOException {
        Path ring = Files.write(folder.resolve("ring-" + number), List.of(lines));
        String ledger = "{store: memcached, memcached: {servers: [\"" + MEMCACHED.address() + "\"]}}";
        return new GatewayProcess("replica-" + number, Replicas.yaml(2, ring, origin.address(), ledger), folder);
    }

    private void restart(int number, String... lines) throws IOException {
        replicas.get(number).kill();
        replicas.set(number, replica(number, lines).awaitReady());
    }

    /** The status of a challenge that one replica gave, at the other one. */
    private int taken(int from, int by) {
        return Replicas.redeem(
                replicas.get(by).port(), Replicas.freshToken(replicas.get(from).port()));
    }

    @Test
    void newLineLastThenFirstThenAloneKeepsEveryChallengeGood() throws IOException {
        String[][] steps = {{OLD, NEW}, {NEW, OLD}, {NEW}};
        for (String[] step : steps) {
            for (int number = 0; number < replicas.size(); number++) {
                restart(number, step);
                assertThat(List.of(taken(0, 1), taken(1, 0)))
                        .as("ring of " + step.length + " lines on " + (number + 1) + " of 2")
                        .containsExactly(200, 200);
            }
        }
    }

    /** Why the order matters. */
    @Test
    void newLineFirstIsRefusedByReplicasThatDoNotKnowIt() throws IOException {
        restart(0, NEW, OLD);

        assertThat(taken(0, 1)).isEqualTo(401);
        assertThat(taken(1, 0)).isEqualTo(200);
    }
}
