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

/** Two gateways in processes of their own share a room; an operator tells one of them what to do with it. */
@Tag("faults")
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

    private static void tell(GatewayProcess gateway, String json) {
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
    void theOtherObeysAlsoWhenTheFirstIsGoneAndRedisHasForgotten() throws IOException {
        // As long as the one that is gone may have served passes that Redis forgot, nobody new is admitted.
        yaml = yaml.replace("idle: 1s", "idle: 1s, pass: 3s");
        try (GatewayProcess told = new GatewayProcess(folder, "told", yaml).awaitReady();
                GatewayProcess other = new GatewayProcess(folder, "other", yaml).awaitReady()) {
            assertThat(visit(other, "none=none").status()).isEqualTo(200);
            tell(told, "{\"mode\": \"draining\"}");
            Awaitility.await().until(() -> visit(other, "none=none").body().contains("room-full"));
            told.kill();
            REDIS.server().restartEmpty();
            Awaitility.await().until(() -> visit(other, "none=none").body().contains("room-full"));

            tell(other, "{\"mode\": \"open\"}");
            String cookie = visit(other, "none=none").field("Set-Cookie").split(";", 2)[0];
            Awaitility.await().until(() -> visit(other, cookie).status() == 200);
        }
    }

    private static List<String> room(GatewayProcess gateway) {
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

    /** So dashboards take the most of what gateways tell, and don't add it up. */
    @Test
    void eachTellsOfTheWholeRoom() throws IOException {
        yaml = yaml.replace("rate: 1000/s, burst: 1000", "rate: 1/h, burst: 0").replace("idle: 1s", "idle: 1m");
        try (GatewayProcess one = new GatewayProcess(folder, "one", yaml).awaitReady();
                GatewayProcess other = new GatewayProcess(folder, "other", yaml).awaitReady()) {
            assertThat(visit(one, "none=none").status()).as("within the rate").isEqualTo(200);
            assertThat(visit(one, "none=none").status()).isEqualTo(200);
            assertThat(visit(one, "none=none").status()).isEqualTo(200);
            RawClient.Response waiting = visit(one, "none=none");
            assertThat(waiting.status()).isEqualTo(503);
            assertThat(visit(other, "none=none").status()).isEqualTo(503);

            String cookie = waiting.field("Set-Cookie").split(";", 2)[0];
            Awaitility.await().untilAsserted(() -> {
                assertThat(visit(one, cookie).status()).isEqualTo(503);
                assertThat(room(one))
                        .containsExactly("active 2", "bound 2", "waiting 2")
                        .isEqualTo(room(other));
            });
            tell(one, "{\"active-sessions\": 3}");
            Awaitility.await().untilAsserted(() -> {
                visit(one, cookie);
                visit(other, cookie);
                assertThat(room(one))
                        .containsExactly("active 3", "bound 3", "waiting 1")
                        .isEqualTo(room(other));
            });
        }
    }
}
