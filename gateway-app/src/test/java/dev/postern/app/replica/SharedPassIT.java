package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.testing.TokenMint;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests two gateway processes and one client with many addresses: it gets from both together what it would get from one. */
@Tag("faults")
@Tag("long")
class SharedPassIT {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private static final TokenMint MINT = TokenMint.shared();

    @TempDir
    private Path folder;

    private final TestOrigin origin = new TestOrigin();
    private GatewayProcess[] gateways = {};

    @BeforeEach
    void start() throws IOException {
        String yaml = """
                instance: {namespace: shared, replicas: 2}
                secrets: {ring-file: "%s"}
                listeners:
                  - {name: web, address: "127.0.0.1:{port}", congestion-control: reno, trusted-proxies: [127.0.0.0/8]}
                admin: {address: "127.0.0.1:{admin}"}
                lifecycle: {drain-delay: 0s, drain-timeout: 5s}
                overload: {loop-lag: {shed-above: 0}}
                log: {successes: 100%%}
                redis: {uri: "redis://%s", deadline: 10s}
                privacy-pass:
                  origin-names: [gateway.example]
                  issuers:
                    - {name: issuer.example, public-keys: ["%s"]}
                  ledger: {store: redis, deadline: 10s}
                rate-limits:
                  - {name: api, rate: 5/h, burst: 5, per: client-address, store: redis}
                  - {name: room, rate: 1/h, burst: 0, store: redis, fair-queue: {active-sessions: 1}}
                upstreams:
                  - {name: app, endpoints: ["%s"], congestion-control: reno}
                routes:
                  - {upstream: app, token: session, rate-limit: api}
                  - {path: /room, upstream: app, token: off, rate-limit: room}
                """.formatted(Replicas.ring(folder), REDIS.address(), MINT.publicKey(), origin.address());
        gateways =
                new GatewayProcess[] {new GatewayProcess(folder, "one", yaml), new GatewayProcess(folder, "other", yaml)
                };
        for (GatewayProcess gateway : gateways) {
            gateway.awaitReady();
        }
    }

    @AfterEach
    void close() {
        for (GatewayProcess gateway : gateways) {
            gateway.close();
        }
        origin.close();
    }

    private RawClient.Response get(int gateway, String path, String address, String... fields) {
        StringBuilder request = new StringBuilder(
                "GET " + path + " HTTP/1.1\r\nHost: site.example\r\nX-Forwarded-For: " + address + "\r\n");
        List.of(fields).forEach(field -> request.append(field).append("\r\n"));
        try (RawClient client = new RawClient(gateways[gateway].port())) {
            return client.send(request.append("\r\n").toString()).read();
        }
    }

    private static String cookie(RawClient.Response response) {
        return "Cookie: " + response.field("Set-Cookie").split(";", 2)[0];
    }

    @Test
    void sessionHasOneBudgetOnBoth() {
        RawClient.Response sold = buy();
        int passed = 0;
        for (int i = 0; i < 40; i++) {
            RawClient.Response response = get(i % 2, "/", "10." + i + ".0.1", cookie(sold));
            passed += response.status() == 200 ? 1 : 0;
            assertThat(response.status()).isIn(200, 429);
        }
        assertThat(passed).isEqualTo(6);
    }

    /** Buys a session from the first gateway. Until a gateway is connected to Redis, it refuses. */
    private RawClient.Response buy() {
        RawClient.Response[] sold = new RawClient.Response[1];
        AtomicInteger buyers = new AtomicInteger();
        Awaitility.await().ignoreExceptions().until(() -> {
            String address =
                    "203.0." + buyers.incrementAndGet() + ".1"; // another one each time, since it has a limit too
            String challenge = get(0, "/", address).field("WWW-Authenticate");
            sold[0] = get(0, "/", address, "Authorization: " + MINT.response(challenge));
            return sold[0].status() == 200;
        });
        return sold[0];
    }

    @Test
    void passHasFourNetworksOnBoth() {
        // Uses up the rate, as soon as the gateway is connected to Redis.
        Awaitility.await().until(() -> get(0, "/room", "203.0.113.1").status() == 200);
        String[] pass = {""};
        // A young server admits no client before both nodes have reported.
        Awaitility.await().until(() -> {
            RawClient.Response response =
                    pass[0].isEmpty() ? get(0, "/room", "203.0.113.1") : get(0, "/room", "203.0.113.1", pass[0]);
            pass[0] = response.field("Set-Cookie").isEmpty() ? pass[0] : cookie(response);
            return response.status() == 200 && !pass[0].isEmpty();
        });
        for (int gateway : new int[] {0, 1}) {
            // A gateway may still be connecting.
            Awaitility.await()
                    .until(() -> get(gateway, "/room", "203.0.113.200", pass[0]).status() == 200);
        }
        assertThat(get(1, "/room", "198.51.100.1", pass[0]).status()).isEqualTo(200);
        assertThat(get(0, "/room", "198.51.100.2", pass[0]).status())
                .as("the same network")
                .isEqualTo(200);
        assertThat(get(0, "/room", "198.51.101.1", pass[0]).status()).isEqualTo(200);
        assertThat(get(1, "/room", "2001:db8:1::1", pass[0]).status()).isEqualTo(200);
        for (int gateway : new int[] {0, 1}) {
            RawClient.Response fifth = get(gateway, "/room", "192.0.3.1", pass[0]);
            assertThat(fifth.status()).as("the fifth").isEqualTo(503);
            assertThat(fifth.field("Postern-Queue-Position")).isNotEmpty();
            assertThat(get(gateway, "/room", "198.51.101.9", pass[0]).status()).isEqualTo(200);
            int asked = gateway;
            Awaitility.await().until(() -> gateways[asked].log().contains("pass-networks"));
        }
    }
}
