package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the rotation of the ring of two replicas by docs/deploy.md, one replica after the other: each accepts the challenges of the other all
 * the time.
 */
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

    @AfterEach
    void stop() {
        replicas.forEach(GatewayProcess::close);
        origin.close();
    }

    private GatewayProcess replica(int number, String... lines) throws IOException {
        Path ring = Files.write(folder.resolve("ring-" + number), List.of(lines));
        String ledger = "{store: memcached, deadline: 10s, memcached: {servers: [\"" + MEMCACHED.address() + "\"]}}";
        return new GatewayProcess("replica-" + number, Replicas.yaml(2, ring, origin.address(), ledger), folder);
    }

    private void start(String[] first, String[] second) throws IOException {
        replicas.add(replica(0, first));
        replicas.add(replica(1, second));
        replicas.forEach(GatewayProcess::awaitReady);
    }

    private void restart(int number, String... lines) throws IOException {
        replicas.get(number).kill();
        replicas.set(number, replica(number, lines).awaitReady());
    }

    /** Redeems a token for a challenge of one replica at the other one; returns the status. */
    private int redeemAtOther(int from, int amount) {
        return Replicas.redeem(
                replicas.get(amount).port(),
                Replicas.freshToken(replicas.get(from).port()));
    }

    @Test
    void addingTheNewLineLastKeepsEveryChallengeValid() throws IOException {
        String[][] steps = {{OLD}, {OLD, NEW}, {NEW, OLD}, {NEW}};
        start(steps[1], steps[0]);
        for (int step = 1; step < steps.length; step++) {
            if (step > 1) {
                restart(0, steps[step]);
            }
            assertThat(List.of(redeemAtOther(0, 1), redeemAtOther(1, 0)))
                    .as("one replica at step " + step + ", one at the step before")
                    .containsExactly(200, 200);
            restart(1, steps[step]);
        }
    }

    /** Shows why the new line must be the last one at first. */
    @Test
    void replicasWithoutTheNewLineRefuseItsChallenges() throws IOException {
        start(new String[] {NEW, OLD}, new String[] {OLD});

        assertThat(redeemAtOther(0, 1)).isEqualTo(401);
        assertThat(redeemAtOther(1, 0)).isEqualTo(200);
    }
}
