package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.reload.NamedOrigin;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code lifecycle.warm-up}: it completes before the first client is accepted, and is visible only in the log of the process. */
@Tag("long")
class WarmUpIT {

    private static final Pattern DONE = Pattern.compile("warm-up: done after (\\d+) exchanges");

    @TempDir
    private Path folder;

    private final NamedOrigin origin = new NamedOrigin("site");

    @AfterEach
    void close() {
        origin.close();
    }

    private GatewayProcess gateway(String warmUp, String listeners) throws Exception {
        return new GatewayProcess(
                folder,
                "gateway",
                listeners
                        + """
                admin: {address: "127.0.0.1:{admin}"}
                lifecycle: {warm-up: %s, drain-delay: 0s, drain-timeout: 1s}
                overload: {loop-lag: {shed-above: 0}}
                log: {successes: 100%%}
                privacy-pass: {ledger: {store: memcached, memcached: {servers: ["127.0.0.1:%d"]}}}
                upstreams:
                  - {name: app, congestion-control: reno, endpoints: ["%s"]}
                routes:
                  - {upstream: app, token: off}
                forward: {default: {token: off, allow-ports: [%s], allow-private: [127.0.0.0/8]}}
                """.formatted(
                                warmUp,
                                ServerProcess.freePort(),
                                origin.address(),
                                origin.address().substring(origin.address().indexOf(':') + 1)));
    }

    private static final String WEB =
            "listeners:\n  - {name: web, address: \"127.0.0.1:{port}\", congestion-control: reno}\n";
    private static final String OUT =
            "  - {name: out, address: \"127.0.0.1:{forward}\", congestion-control: reno, mode: forward, forward: default}\n";

    private static RawClient.Response admin(GatewayProcess gateway, String path) {
        try (RawClient client = new RawClient(gateway.admin())) {
            return client.send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .read();
        }
    }

    private static int exchanges(GatewayProcess gateway) {
        Matcher done = DONE.matcher(gateway.log());
        return done.find() ? Integer.parseInt(done.group(1)) : -1;
    }

    @ParameterizedTest
    @ValueSource(strings = {WEB, "listeners:\n" + OUT, WEB + OUT})
    void runsItsExchangesBeforeTheFirstClient(String listeners) throws Exception {
        try (GatewayProcess gateway = gateway("5s", listeners)) {
            Awaitility.await()
                    .atMost(60, TimeUnit.SECONDS)
                    .until(() -> gateway.log().contains("warm-up: exchanges with ourselves"));
            // A client that connects now waits until the gateway accepts connections.
            boolean web = listeners.contains("web");
            try (RawClient early = new RawClient(web ? gateway.port() : gateway.forward())) {
                early.send("GET " + (web ? "" : "http://" + origin.address()) + "/early HTTP/1.1\r\nHost: "
                        + origin.address() + "\r\n\r\n");
                assertThat(admin(gateway, "/startupz").status()).isEqualTo(503);
                assertThat(admin(gateway, "/readyz").status()).isEqualTo(503);
                assertThat(origin.requests()).isZero();
                gateway.awaitReady();
                assertThat(early.read().body()).isEqualTo("site");
            }
            assertThat(exchanges(gateway)).isGreaterThan(100);
            assertThat(gateway.log()).doesNotContain("starts without", "/large", "/limited");
            assertThat(origin.requests()).isEqualTo(1);
            Awaitility.await().until(() -> admin(gateway, "/metrics").body().contains("postern_exchanges_total{"));
            String metrics = admin(gateway, "/metrics").body();
            assertThat(metrics.lines().filter(l -> l.startsWith("postern_exchanges_total{")))
                    .hasSize(1)
                    .allMatch(l -> l.endsWith(" 1.0") || l.endsWith(" 1"));
            assertThat(metrics).doesNotContain("stand-in", "warm-up");
        }
    }

    @Test
    void isDisabledByDefault() throws Exception {
        try (GatewayProcess gateway = gateway("0s", WEB)) {
            gateway.awaitReady();
            assertThat(gateway.log()).doesNotContain("warm-up");
            try (RawClient client = new RawClient(gateway.port())) {
                assertThat(client.get("/").body()).isEqualTo("site");
            }
        }
    }
}
