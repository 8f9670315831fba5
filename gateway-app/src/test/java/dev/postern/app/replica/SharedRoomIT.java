package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests two gateway processes that share a room: what a visitor gets or gives up at one of them counts at the other. */
@Tag("faults")
@Tag("long")
class SharedRoomIT {

    /** Places that sessions of one network get at once. */
    private static final int SHARE = 5;

    private static final String STATUS = "/.postern/room/site";
    private static final String CROWDED = "198.51.100.7";
    private static final String OTHER = "203.0.113.9";

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @TempDir
    private Path folder;

    private final TestOrigin origin = new TestOrigin();
    private final GatewayProcess[] gateways = new GatewayProcess[2];

    private void start(int active, Duration idle) throws IOException {
        String yaml = """
                instance: {namespace: shared-room, replicas: 2}
                secrets: {ring-file: "%s"}
                listeners:
                  - {name: web, address: "127.0.0.1:{port}", congestion-control: reno, trusted-proxies: [127.0.0.0/8]}
                admin: {address: "127.0.0.1:{admin}"}
                lifecycle: {drain-delay: 0s, drain-timeout: 5s}
                overload: {loop-lag: {shed-above: 0}}
                redis: {uri: "redis://%s", deadline: 2s}
                rate-limits:
                  - {name: site, store: redis, fair-queue: {active-sessions: %d, idle: %ds, max-waiting: 100}}
                upstreams:
                  - {name: app, endpoints: ["%s"], congestion-control: reno}
                routes:
                  - {upstream: app, token: off, rate-limit: site}
                """.formatted(Replicas.ring(folder), REDIS.address(), active, idle.toSeconds(), origin.address());
        gateways[0] = new GatewayProcess(folder, "one", yaml);
        gateways[1] = new GatewayProcess(folder, "two", yaml);
        for (GatewayProcess gateway : gateways) {
            gateway.awaitReady();
        }
    }

    @AfterEach
    void close() {
        for (GatewayProcess gateway : gateways) {
            if (gateway != null) {
                gateway.close();
            }
        }
        origin.close();
        REDIS.server().restartEmpty();
    }

    /** Visitor with an address, whose browser keeps the cookie. */
    private final class Visitor {

        private final String address;
        private String cookie = "none=none";

        Visitor(String address) {
            this.address = address;
        }

        RawClient.Response get(int gateway) {
            RawClient.Response response = send(gateway, "GET /", cookie);
            String given = response.field("Set-Cookie");
            cookie = given.isEmpty() ? cookie : given.split(";", 2)[0];
            return response;
        }

        String position(int gateway) {
            RawClient.Response response = get(gateway);
            assertThat(response.status()).isEqualTo(503);
            return response.field("Postern-Queue-Position");
        }

        /** Ends the place or the pass, as the page does. */
        void leave(int gateway) {
            assertThat(send(gateway, "DELETE " + STATUS, cookie).body()).contains("lapsed");
        }

        RawClient.Response send(int gateway, String line, String with, String... fields) {
            try (RawClient client = new RawClient(gateways[gateway].port())) {
                return client.send(line + " HTTP/1.1\r\nHost: shop.example\r\nX-Forwarded-For: " + address
                                + "\r\nCookie: " + with + "\r\n" + String.join("", fields) + "\r\n")
                        .read();
            }
        }
    }

    /** Admits a visitor at a gateway. A young server admits no session before both gateways have reported. */
    private Visitor admitted(int gateway) {
        Visitor visitor = new Visitor("192.0.2." + (gateway + 1));
        Visitor part = new Visitor("192.0.2.3");
        Awaitility.await().until(() -> {
            part.send(1 - gateway, "GET /", "none=none", "Sec-Fetch-Mode: cors\r\n"); // takes no place
            return visitor.get(gateway).status() == 200;
        });
        return visitor;
    }

    @Test
    void aNetworkHasOneShareOfThePlacesOfBothUntilItsVisitorsLeave() throws IOException {
        start(1, Duration.ofMinutes(5));
        admitted(0);
        Visitor[] crowd = new Visitor[SHARE];
        for (int i = 0; i < SHARE; i++) {
            crowd[i] = new Visitor(CROWDED);
            assertThat(crowd[i].position(0)).isEqualTo("" + (i + 1));
        }
        Visitor deferred = new Visitor(CROWDED);
        RawClient.Response without = deferred.get(1);
        assertThat(without.status()).isEqualTo(503);
        assertThat(without.field("Postern-Queue-Position")).isEmpty();
        assertThat(without.body()).contains("\"state\":\"unknown\",\"position\":0");
        assertThat(new Visitor(OTHER).position(1)).isEqualTo("" + (SHARE + 1));
        assertThat(new Visitor(OTHER).position(0)).isEqualTo("" + (SHARE + 2));
        assertThat(deferred.position(0))
                .as("the place at the time of the first request")
                .isEqualTo("" + (SHARE + 1));

        crowd[0].leave(1);
        crowd[1].leave(1);
        Awaitility.await().until(() -> deferred.position(0).equals("" + (SHARE - 1)));
        assertThat(new Visitor(CROWDED).position(0))
                .as("a place within the share again")
                .isEqualTo("" + (SHARE + 2));
        assertThat(crowd[0].get(0).field("Postern-Queue-Position"))
                .as("its cookie has no place any more")
                .isEmpty();
    }

    @Test
    void aPassThatEndedAtOneStaysEndedAtTheOtherWithoutRedis() throws IOException {
        start(2, Duration.ofSeconds(20));
        Visitor ended = admitted(0);
        Visitor lasting = admitted(1);
        assertServedByBoth(ended);
        ended.leave(0);
        String[] pass = {ended.cookie};
        // The other gateway learns it when it renews the pass.
        Awaitility.await().until(() -> {
            pass[0] = ended.cookie;
            return ended.get(1).status() == 503;
        });
        assertThat(ended.position(0)).isEqualTo("1");

        assertServedByBoth(lasting);
        REDIS.server().freeze();
        assertServedByBoth(lasting);
        for (int gateway : new int[] {0, 1}) {
            RawClient.Response refused = ended.send(gateway, "GET /", pass[0]);
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("room-unknown");
            assertThat(ended.position(gateway))
                    .as("the place that it has since")
                    .isEqualTo("1");
        }
    }

    private static void assertServedByBoth(Visitor visitor) {
        assertThat(visitor.get(0).status()).isEqualTo(200);
        assertThat(visitor.get(1).status()).isEqualTo(200);
    }

    @Test
    void aPassIsGivenUpAtTheOther() throws IOException {
        start(1, Duration.ofSeconds(10));
        Visitor leaving = admitted(0);
        Visitor next = new Visitor(OTHER);
        assertThat(next.position(0)).isEqualTo("1");
        assertThat(leaving.get(0).status()).isEqualTo(200);
        leaving.leave(1);
        // It goes on asking, so it is not silence that ends the pass.
        Awaitility.await().until(() -> {
            boolean refused = leaving.get(0).status() == 503;
            return next.get(0).status() == 200 && refused;
        });
        assertThat(leaving.position(1)).isEqualTo("1");
    }
}
