package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.replica.GatewayProcess.Launch;
import dev.postern.core.testing.FrameClient;
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

    /** On a busy machine the loops are late, which is not the subject: the gateway would shed load, and not be ready. */
    private static final String NO_SHEDDING = "overload: {loop-lag: {shed-above: 0}}\n";

    private static final int CONNECTIONS = 5;
    private static final int STREAMS = 100;
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

    /** Opens so many tunnels over one connection; returns how many the gateway accepted. */
    private static int tunnels(FrameClient client, String destination, int count) {
        for (int i = 0; i < count; i++) {
            client.headers(2 * i + 1, false, ":method", "CONNECT", ":authority", destination);
        }
        int accepted = 0;
        for (int i = 0; i < count; i++) {
            while (client.soFar(2 * i + 1).status().isEmpty()) {
                client.await(FrameClient.HEADERS);
            }
            accepted += client.soFar(2 * i + 1).status().equals("200") ? 1 : 0;
        }
        return accepted;
    }

    @Test
    void tunnelsOverStreamsUseNoDescriptorThatProbesNeed() throws Exception {
        Launch few = new Launch(
                List.of("sh", "-c", "ulimit -n 512; exec \"$@\"", "sh"),
                List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
                Map.of());
        String config = "listeners: [{name: out, address: \"127.0.0.1:{port}\", mode: forward, forward: default}]\n"
                + "admin: {address: \"127.0.0.1:{admin}\"}\n" + NO_SHEDDING
                + "forward: {default: {token: off, allow-ports: [\"1024-65535\"], allow-private: [127.0.0.0/8]}}\n";
        List<FrameClient> clients = new ArrayList<>();
        try (TestOrigin origin = new TestOrigin();
                GatewayProcess gateway = new GatewayProcess(folder, "few", config, few).awaitReady()) {
            int accepted = 0;
            for (int i = 0; i < CONNECTIONS; i++) {
                FrameClient client = FrameClient.connect(gateway.port());
                clients.add(client);
                accepted += tunnels(client, origin.address(), STREAMS);
            }
            int limit = metric(gateway, "postern_forward_sockets{state=\"limit\"}");
            assertThat(accepted).isBetween(limit / 2, limit * 3 / 4);
            for (String probe : List.of("/livez", "/readyz", "/startupz")) {
                admin(gateway, probe);
            }
            try (RawClient other = new RawClient("127.0.0.2", gateway.port())) {
                String host = origin.address();
                assertThat(other.send("CONNECT " + host + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                                .readConnect()
                                .status())
                        .isEqualTo(200);
            }
        } finally {
            clients.forEach(FrameClient::close);
        }
    }

    @Test
    void idleClientsUseNoDescriptorThatConnectedClientsNeed() throws Exception {
        List<RawClient> idle = new ArrayList<>();
        Launch few = new Launch(
                List.of("sh", "-c", "ulimit -n 512; exec \"$@\"", "sh"),
                List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
                Map.of());
        String config = "listeners: [{name: web, address: \"127.0.0.1:{port}\"}]\n"
                + "admin: {address: \"127.0.0.1:{admin}\"}\n" + NO_SHEDDING;
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
