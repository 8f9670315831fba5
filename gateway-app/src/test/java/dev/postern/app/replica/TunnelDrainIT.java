package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postern.app.replica.GatewayProcess.Launch;
import dev.postern.app.setting.OpenTunnels;
import dev.postern.auth.testing.TokenMint;
import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what becomes of open tunnels when SIGTERM ends a gateway process. */
class TunnelDrainIT {

    /** Tunnels of each kind. */
    private static final int EACH = 5;

    private static final Duration LONG = Duration.ofSeconds(30);

    private static final String YAML = """
            listeners:
              - {name: out, address: "127.0.0.1:{forward}", mode: forward, forward: default}
            forward:
              default: {token: required, allow-private: [127.0.0.0/8], allow-ports: ["1024-65535"],
                udp: {allow-ports: ["1024-65535"]}}
            admin: {address: "127.0.0.1:{admin}"}
            privacy-pass:
              issuers:
                - {name: issuer.example, public-keys: ["%s"]}
            lifecycle: {drain-delay: 0s, drain-timeout: TIMEOUT}
            overload: {loop-lag: {shed-above: 0}}
            transport: {event-loops: 2}
            """.formatted(TokenMint.shared().publicKey());

    @TempDir
    private Path folder;

    private GatewayProcess gateway(String timeout) throws IOException {
        // The logging configuration of the program, which that of the tests overrides.
        Launch launch = Launch.FRUGAL.with("-Dlog4j2.configurationFile=classpath:log4j2.xml");
        return new GatewayProcess(folder, "gateway", YAML.replace("TIMEOUT", timeout), launch).awaitReady();
    }

    private static void open(GatewayProcess gateway, OpenTunnels tunnels) {
        String challenge;
        try (RawClient client = new RawClient(gateway.forward())) {
            challenge = client.send(tunnels.connect("")).readConnect().field("Proxy-Authenticate");
        }
        tunnels.open(gateway.forward(), EACH, challenge);
        tunnels.exchange("before");
    }

    private static String metrics(GatewayProcess gateway) {
        try (RawClient client = new RawClient(gateway.admin())) {
            return client.send("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .read()
                    .body();
        }
    }

    private static String tunnels(String kind, int number) {
        return "\npostern_tunnels{kind=\"" + kind + "\"} " + number + ".0\n";
    }

    /** Ends because idle tunnels end by themselves, and the others when their clients go. */
    @Test
    void idleTunnelsEndFirstAndOthersContinue() throws Exception {
        try (GatewayProcess gateway = gateway("2m");
                OpenTunnels idle = new OpenTunnels();
                OpenTunnels busy = new OpenTunnels()) {
            open(gateway, idle);
            open(gateway, busy);
            int connections = 2 * (2 * EACH + 1);
            metrics(gateway); // the first page takes longest, and a tunnel that is silent for so long would be idle
            gateway.terminate();
            await().atMost(LONG).until(() -> gateway.log().contains("a second signal ends it at once"));
            assertThat(gateway.log()).contains(connections + " connections have 2m to end (lifecycle.drain-timeout)");

            await().atMost(LONG).untilAsserted(() -> {
                busy.exchange("during");
                assertThat(metrics(gateway)).contains(tunnels("connect", 2 * EACH), tunnels("connect-udp", 2 * EACH));
            });
            assertThatThrownBy(() -> idle.exchange("after")).isInstanceOfAny(Exception.class, AssertionError.class);
            busy.exchange("after");
            idle.end(); // a client ends its side of a stream that the gateway has ended
            busy.end();
            assertThat(gateway.exitValue()).isZero();
            assertThat(gateway.log()).containsPattern("(?m)drained$").doesNotContain("cut off");
        }
    }

    @Test
    void tunnelsAreCutAtTheTimeout() throws Exception {
        try (GatewayProcess gateway = gateway("1s");
                OpenTunnels tunnels = new OpenTunnels()) {
            open(gateway, tunnels);
            gateway.terminate();
            assertThat(gateway.exitValue()).isZero();
            assertThat(gateway.log()).contains("drained; " + (2 * EACH + 1) + " connections were cut off");
            assertThatThrownBy(() -> tunnels.exchange("after")).isInstanceOfAny(Exception.class, AssertionError.class);
        }
    }
}
