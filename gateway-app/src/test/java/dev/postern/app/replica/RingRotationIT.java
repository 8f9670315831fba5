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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the rotation of the ring of two replicas by docs/deploy.md, one replica after the other and without restarts: each accepts the
 * challenges of the other all the time.
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

    private Path file(int number) {
        return folder.resolve("ring-" + number);
    }

    private void start(String[]... rings) throws IOException {
        String ledger = "{store: memcached, deadline: 10s, memcached: {servers: [\"" + MEMCACHED.address() + "\"]}}";
        for (int i = 0; i < rings.length; i++) {
            Path ring = Files.write(file(i), List.of(rings[i]));
            replicas.add(new GatewayProcess("replica-" + i, Replicas.yaml(2, ring, origin.address(), ledger), folder));
        }
        replicas.forEach(GatewayProcess::awaitReady);
    }

    /** Runs a command of {@code postern secret} on the ring of one replica. */
    private void secret(String command, Path ring) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.postern.app.cli.Main",
                        "secret",
                        command,
                        ring.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("secret.log").toFile())
                .start();
        assertThat(process.waitFor())
                .as(Files.readString(folder.resolve("secret.log")))
                .isZero();
    }

    /** Makes one replica read its ring again by SIGHUP. */
    private void reload(int number) throws IOException, InterruptedException {
        GatewayProcess replica = replicas.get(number);
        String signs = KeyRing.read(file(number)).fingerprints().toString().replaceAll("[\\[\\]]", "");
        replica.hangUp();
        Awaitility.await()
                .until(() -> List.of(replica.log().split("\n")).stream()
                        .filter(line -> line.contains("key ring: "))
                        .reduce((first, second) -> second)
                        .map(line -> line.replaceAll(" (signs|verifies)", ""))
                        .filter(line -> line.endsWith("key ring: " + signs))
                        .isPresent());
    }

    /** Redeems a token for a challenge of one replica at the other one; returns the status. */
    private int redeemAtOther(int from, int to) {
        return Replicas.redeem(
                replicas.get(to).port(), Replicas.freshToken(replicas.get(from).port()));
    }

    private void assertEachAcceptsTheOther(String step) {
        assertThat(List.of(redeemAtOther(0, 1), redeemAtOther(1, 0))).as(step).containsExactly(200, 200);
    }

    @Test
    void noStepRefusesAChallengeOfTheOtherReplica() throws IOException, InterruptedException {
        start(new String[] {OLD}, new String[] {OLD});
        for (String step : List.of("add", "promote", "retire")) {
            String early = Replicas.freshToken(replicas.get(0).port());
            secret(step, file(0));
            reload(0);
            assertEachAcceptsTheOther(step + " at one replica");
            Files.copy(file(0), file(1), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            reload(1);
            assertEachAcceptsTheOther(step + " at both");
            if (!step.equals("retire")) {
                assertThat(Replicas.redeem(replicas.get(1).port(), early))
                        .as("a challenge from before " + step)
                        .isEqualTo(200);
            }
        }
        assertThat(KeyRing.read(file(1)).fingerprints())
                .hasSize(1)
                .doesNotContainAnyElementsOf(KeyRing.of(List.of(OLD)).fingerprints());
    }

    /** Shows why the new line must be the last one at first. */
    @Test
    void replicasWithoutTheNewLineRefuseItsChallenges() throws IOException {
        start(new String[] {NEW, OLD}, new String[] {OLD});

        assertThat(redeemAtOther(0, 1)).isEqualTo(401);
        assertThat(redeemAtOther(1, 0)).isEqualTo(200);
    }
}
