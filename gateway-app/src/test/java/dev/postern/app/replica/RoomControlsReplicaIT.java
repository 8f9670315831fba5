package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests two gateway processes that share a room: an operator's command to one of them applies to both. */
@Tag("faults")
@Tag("long")
class RoomControlsReplicaIT {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private static final String TOKEN = "0123456789abcdef";

    @TempDir
    private Path folder;

    private final TestOrigin origin = new TestOrigin();
    private String yaml = "";

    @BeforeEach
    void write() throws IOException {
        yaml = """
                instance: {namespace: rooms, replicas: 2}
                secrets: {ring-file: "%s"}
                listeners:
                  - {name: web, address: "127.0.0.1:{port}", congestion-control: reno}
                admin: {address: "127.0.0.1:{admin}", token-file: "%s"}
                lifecycle: {drain-delay: 0s, drain-timeout: 5s}
                overload: {loop-lag: {shed-above: 0}}
                redis: {uri: "redis://%s", deadline: 10s}
                rate-limits:
                  - {name: site, rate: 1000/s, burst: 1000, store: redis, fair-queue: {active-sessions: 2, idle: 1s}}
                upstreams:
                  - {name: app, endpoints: ["%s"], congestion-control: reno}
                routes:
                  - {upstream: app, token: off, rate-limit: site}
                """.formatted(
                        Replicas.ring(folder),
                        Files.writeString(folder.resolve("token"), TOKEN),
                        REDIS.address(),
                        origin.address());
    }

    @AfterEach
    void close() {
        origin.close();
    }

    private static void control(GatewayProcess gateway, String json) {
        String request = "PATCH /rooms/site HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + TOKEN
                + "\r\nContent-Length: " + json.length() + "\r\n\r\n" + json;
        Awaitility.await().until(() -> {
            try (RawClient client = new RawClient(gateway.admin())) {
                return client.send(request).read().status() == 200;
            }
        });
    }

    private static RawClient.Response visit(GatewayProcess gateway, String cookie) {
        try (RawClient client = new RawClient(gateway.port())) {
            return client.send("GET / HTTP/1.1\r\nHost: shop.example\r\nCookie: " + cookie + "\r\n\r\n")
                    .read();
        }
    }

    @Test
    void controlsApplyWithoutTheFirstGatewayAndAfterALossOfRedis() throws IOException {
        // While the stopped gateway may have served passes that Redis lost, no new pass is issued.
        yaml = yaml.replace("idle: 1s", "idle: 1s, pass: 3s");
        try (GatewayProcess controlled = new GatewayProcess(folder, "controlled", yaml).awaitReady();
                GatewayProcess other = new GatewayProcess(folder, "other", yaml).awaitReady()) {
            assertThat(visit(other, "none=none").status()).isEqualTo(200);
            control(controlled, "{\"mode\": \"draining\"}");
            Awaitility.await().until(() -> visit(other, "none=none").body().contains("room-full"));
            controlled.kill();
            REDIS.server().restartEmpty();
            Awaitility.await().until(() -> visit(other, "none=none").body().contains("room-full"));

            control(other, "{\"mode\": \"open\"}");
            String cookie = visit(other, "none=none").field("Set-Cookie").split(";", 2)[0];
            Awaitility.await().until(() -> visit(other, cookie).status() == 200);
        }
    }

    /** Gets a slot for a new session, which a young server gives as soon as both gateways have reported. */
    private void admit(GatewayProcess gateway) {
        String cookie = visit(gateway, "none=none").field("Set-Cookie").split(";", 2)[0];
        Awaitility.await().until(() -> visit(gateway, cookie).status() == 200);
    }

    private static List<String> roomMetrics(GatewayProcess gateway) {
        try (RawClient client = new RawClient(gateway.admin())) {
            return client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .read()
                    .body()
                    .lines()
                    .filter(line -> line.matches("postern_room_(active|bound|waiting)\\{.*"))
                    .map(line -> line.replaceAll("postern_room_(.*)\\{.*} ([0-9]+).*", "$1 $2"))
                    .sorted()
                    .toList();
        }
    }

    /** Dashboards therefore use the maximum over gateways instead of the sum. */
    @Test
    void eachGatewayReportsTheWholeRoom() throws IOException {
        yaml = yaml.replace("rate: 1000/s, burst: 1000", "rate: 1/h, burst: 0").replace("idle: 1s", "idle: 1m");
        try (GatewayProcess one = new GatewayProcess(folder, "one", yaml).awaitReady();
                GatewayProcess other = new GatewayProcess(folder, "other", yaml).awaitReady()) {
            assertThat(visit(one, "none=none").status()).as("within the rate").isEqualTo(200);
            admit(one);
            admit(one);
            RawClient.Response waiting = visit(one, "none=none");
            assertThat(waiting.status()).isEqualTo(503);
            assertThat(visit(other, "none=none").status()).isEqualTo(503);

            String cookie = waiting.field("Set-Cookie").split(";", 2)[0];
            Awaitility.await().untilAsserted(() -> {
                assertThat(visit(one, cookie).status()).isEqualTo(503);
                assertThat(roomMetrics(one))
                        .containsExactly("active 2", "bound 2", "waiting 2")
                        .isEqualTo(roomMetrics(other));
            });
            control(one, "{\"active-sessions\": 3}");
            Awaitility.await().untilAsserted(() -> {
                visit(one, cookie);
                visit(other, cookie);
                assertThat(roomMetrics(one))
                        .containsExactly("active 3", "bound 3", "waiting 1")
                        .isEqualTo(roomMetrics(other));
            });
        }
    }
}
