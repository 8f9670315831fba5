package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.replica.GatewayProcess.Launch;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a process with few file descriptors serves its connected clients and its probes. */
class DescriptorsIT {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final int MORE_THAN_THERE_ARE = 600;

    @TempDir
    private Path folder;

    private static String admin(GatewayProcess gateway, String path) {
        try (RawClient client = new RawClient(gateway.admin())) {
            RawClient.Response response = client.send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    .read();
            assertThat(response.status()).isEqualTo(200);
            return response.body();
        }
    }

    private static int metric(GatewayProcess gateway, String name) {
        return admin(gateway, "/metrics")
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(name.length())))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void idleClientsUseNoDescriptorThatConnectedClientsNeed() throws Exception {
        List<RawClient> idle = new ArrayList<>();
        Launch few = new Launch(
                List.of("sh", "-c", "ulimit -n 512; exec \"$@\"", "sh"),
                List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
                Map.of());
        String config = "listeners: [{name: web, address: \"127.0.0.1:{port}\"}]\n"
                + "admin: {address: \"127.0.0.1:{admin}\"}\n";
        try (TestOrigin origin = new TestOrigin();
                GatewayProcess gateway = new GatewayProcess(
                                folder,
                                "few",
                                config + "upstreams: [{name: app, endpoints: [\"" + origin.address() + "\"]}]\n"
                                        + "routes: [{upstream: app, token: off}]\n",
                                few)
                        .awaitReady()) {
            int bound = metric(gateway, "postern_connections_limit");
            assertThat(bound).isBetween(8, 255);
            assertThat(gateway.log()).contains("limits.connections: " + bound + " of 100000 are in force");
            assertThat(admin(gateway, "/context"))
                    .containsPattern("\"limits.connections\",\\s+\"kind\" : \"setting\",\\s+\"wanted\" : \"100000\","
                            + "\\s+\"found\" : \"" + bound + "\",\\s+\"verdict\" : \"drift\"");

            IntStream.range(0, MORE_THAN_THERE_ARE).forEach(i -> idle.add(new RawClient(gateway.port())));
            Awaitility.await().until(() -> metric(gateway, "postern_connections") == bound);

            for (RawClient connected : idle.subList(0, bound)) {
                assertThat(connected.send(GET).read().status()).isEqualTo(200);
            }
            for (String probe : List.of("/livez", "/readyz", "/startupz")) {
                admin(gateway, probe);
            }
            idle.subList(0, bound).forEach(RawClient::close);
            assertThat(idle.get(bound).send(GET).read().status()).isEqualTo(200); // its connection was accepted
        } finally {
            idle.forEach(RawClient::close);
        }
    }
}
