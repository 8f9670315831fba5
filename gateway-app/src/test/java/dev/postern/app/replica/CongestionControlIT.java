package dev.postern.app.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that exactly the gateway's sockets, on both sides, have the configured congestion control, as the kernel reports it. */
class CongestionControlIT {

    @TempDir
    private Path folder;

    @Test
    void isOnTheGatewaysSocketsAndNowhereElse() throws Exception {
        String system = Files.readString(Path.of("/proc/sys/net/ipv4/tcp_congestion_control"))
                .trim();
        String other = system.equals("reno") ? "bbr" : "reno";
        try (TestOrigin origin = new TestOrigin()) {
            String yaml = Replicas.yaml(1, Replicas.ring(folder), origin.address(), "{}")
                    .replace("token: required", "token: off")
                    .replace("reno", other);
            try (GatewayProcess gateway = new GatewayProcess("one", yaml, other, folder).awaitReady();
                    RawClient client = new RawClient(gateway.port())) {
                assertThat(client.get("/").status()).isEqualTo(200);
                List<String> accepted = sockets("sport = :" + gateway.port());
                List<String> toUpstream = sockets("dport = :" + origin.port());
                assertThat(accepted).isNotEmpty().allMatch(s -> s.contains(" " + other + " "));
                assertThat(toUpstream).isNotEmpty().allMatch(s -> s.contains(" " + other + " "));
                assertThat(sockets("dport = :" + gateway.port()))
                        .isNotEmpty()
                        .allMatch(s -> s.contains(" " + system + " "));
                assertThat(sockets("sport = :" + origin.port()))
                        .isNotEmpty()
                        .allMatch(s -> s.contains(" " + system + " "));
                try (RawClient admin = new RawClient(gateway.admin())) {
                    String context = admin.send("GET /context HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                            .read()
                            .body()
                            .replaceAll("\\s", "");
                    assertThat(context)
                            .containsPattern(
                                    "\"item\":\"upstreamapp.congestion-control\",[^}]*\"found\":\"" + other + "\"");
                }
            }
        }
    }

    /** Returns established sockets with their TCP details, each on one line. */
    private static List<String> sockets(String filter) throws IOException {
        Process ss = new ProcessBuilder("ss", "-tinH", "state", "established", filter)
                .redirectErrorStream(true)
                .start();
        String out = new String(ss.getInputStream().readAllBytes(), UTF_8).replace("\n\t", " ");
        return Arrays.stream(out.split("\n")).filter(s -> !s.isBlank()).toList();
    }
}
