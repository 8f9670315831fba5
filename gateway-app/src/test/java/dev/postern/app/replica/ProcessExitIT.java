package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.replica.GatewayProcess.Launch;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how a gateway process ends: on a signal, when it cannot start, and when it cannot write its log. */
@Tag("long")
class ProcessExitIT {

    private static final String YAML = """
            listeners:
              - {name: web, address: "127.0.0.1:{port}"}
            admin: {address: "127.0.0.1:{admin}"}
            privacy-pass:
              issuers:
                - {name: "127.0.0.1:%1$d", directory: "http://127.0.0.1:%1$d/.well-known/private-token-issuer-directory"}
            rate-limits:
              - {name: site, rate: 10/s, fair-queue: {active-sessions: 5}}
            lifecycle: {drain-delay: 10m, drain-timeout: 20s}
            log: {successes: 100%%, level: error}
            transport: {event-loops: 2}
            upstreams:
              - {name: app, endpoints: ["127.0.0.1:%1$d"], congestion-control: reno}
            routes:
              - {upstream: app, token: off}
              - {path: /tokens, upstream: app, rate-limit: site}
            """.formatted(ServerProcess.freePort());

    @RegisterExtension
    private static final RedisExtension REDIS = new RedisExtension();

    @TempDir
    private Path folder;

    @Test
    void theFirstSignalDrainsAndTheSecondExitsAtOnce() throws Exception {
        try (GatewayProcess gateway = new GatewayProcess(folder, "gateway", YAML).awaitReady();
                RawClient client = new RawClient(gateway.port())) {
            assertThat(client.get("/").status()).isEqualTo(502);
            gateway.terminate();
            Awaitility.await().until(() -> gateway.log().contains("a second signal ends it at once"));
            assertThat(gateway.log())
                    .contains("SIGTERM: not ready any more; still accepts for 10m (lifecycle.drain-delay)")
                    .contains("1 connection has 20s to end (lifecycle.drain-timeout)");
            assertThat(client.get("/").status()).as("still served").isEqualTo(502);

            gateway.terminate();
            assertThat(gateway.exitValue()).isEqualTo(128 + 15);
        }
    }

    /** Writes the log to /dev/full of Linux, which refuses every write. */
    @Test
    void aFullDiskLosesCountedLinesWithoutStackTraces() throws IOException {
        Launch full = new Launch(
                List.of("sh", "-c", "exec \"$@\" >/dev/full", "sh"),
                // The logging configuration of the program, which that of the tests overrides.
                Launch.FRUGAL
                        .with("-Dlog4j2.configurationFile=classpath:log4j2.xml")
                        .flags(),
                Launch.FRUGAL.environment());
        try (GatewayProcess gateway = new GatewayProcess(folder, "gateway", YAML, full).awaitReady();
                RawClient client = new RawClient(gateway.port())) {
            for (int i = 0; i < 7; i++) {
                client.get("/");
            }
            Awaitility.await().until(() -> metrics(gateway).contains("\npostern_log_lost_total 7.0\n"));
            assertThat(gateway.log())
                    .containsOnlyOnce("the log can't be written: No space left on device")
                    .doesNotContain("\tat ", "Exception");
        }
    }

    private static String metrics(GatewayProcess gateway) {
        try (RawClient client = new RawClient(gateway.admin())) {
            return client.send("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .read()
                    .body();
        }
    }

    /** Repeated, since the effects of a failed start depend on how far its threads got. */
    @ParameterizedTest
    @ValueSource(strings = {"memory", "redis"})
    void reportsAPortInUseInOneLine(String store) throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String yaml = YAML.replace("127.0.0.1:{port}", "127.0.0.1:" + taken.getLocalPort());
            yaml = yaml.replace("level: error", "level: info");
            if (store.equals("redis")) {
                yaml = yaml.replace("privacy-pass:\n", "privacy-pass:\n  ledger: {store: redis}\n")
                                .replace("rate: 10/s", "rate: 10/s, store: redis")
                        + "redis: {uri: \"redis://" + REDIS.address() + "\"}\n";
            }
            for (int i = 0; i < 5; i++) {
                try (GatewayProcess gateway = new GatewayProcess(folder, "taken-" + i, yaml)) {
                    assertThat(gateway.exitValue()).isEqualTo(1);
                    assertThat(gateway.log())
                            .endsWith(
                                    "postern: listeners: web: address: 127.0.0.1:" + taken.getLocalPort()
                                            + ": in use (expected: an address of this machine that no other program listens on)\n")
                            .doesNotContain("RejectedExecution", "\tat ");
                }
            }
        }
    }
}
