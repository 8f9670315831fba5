package dev.postern.app.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.app.replica.GatewayProcess.Launch;
import dev.postern.auth.testing.TokenMint;
import dev.postern.core.testing.MemcachedExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RedisExtension;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests a gateway of an older commit beside this one, on the same stores, as during an upgrade. {@code scripts/mixed-versions} builds the older
 * one and runs this.
 */
@Tag("mixed")
class MixedVersionsIT {

    private static final int OLD = 0;
    private static final int NEW = 1;

    private static final String PASSED_AGAIN = "accepted once more";

    @RegisterExtension
    static final MemcachedExtension MEMCACHED = new MemcachedExtension();

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    private static final TokenMint MINT = TokenMint.shared();

    @TempDir
    private Path folder;

    private final TestOrigin origin = new TestOrigin();
    private GatewayProcess[] gateways = {};

    @AfterEach
    void close() {
        for (GatewayProcess gateway : gateways) {
            gateway.close();
        }
        origin.close();
        REDIS.server().restartEmpty();
    }

    /** Options of the older gateway and of this one. */
    private static Launch launch(int version) {
        String older = Objects.requireNonNull(
                System.getProperty("previous.app"),
                "previous.app: none (expected: the folder of an older build; run scripts/mixed-versions)");
        return version == NEW ? Launch.FRUGAL : Launch.FRUGAL.of(Path.of(older));
    }

    private void startBoth(String ledger) throws IOException {
        String yaml = """
                instance: {namespace: mixed, replicas: 2}
                secrets: {ring-file: "%s"}
                listeners:
                  - {name: web, address: "127.0.0.1:{port}", congestion-control: reno, trusted-proxies: [127.0.0.0/8]}
                admin: {address: "127.0.0.1:{admin}"}
                lifecycle: {drain-delay: 0s, drain-timeout: 5s}
                overload: {loop-lag: {shed-above: 0}}
                redis: {uri: "redis://%s", deadline: 5s}
                privacy-pass:
                  origin-names: [gateway.example]
                  issuers:
                    - {name: issuer.example, public-keys: ["%s"]}
                  ledger: %s
                rate-limits:
                  - {name: api, rate: 5/h, burst: 5, per: route, store: redis}
                  - {name: room, store: redis, fair-queue: {active-sessions: 1, idle: 10s}}
                upstreams:
                  - {name: app, endpoints: ["%s"], congestion-control: reno}
                routes:
                  - {upstream: app, token: required}
                  - {path: /session, upstream: app, token: session}
                  - {path: /limited, upstream: app, token: off, rate-limit: api}
                  - {path: /room, upstream: app, token: off, rate-limit: room}
                """.formatted(Replicas.ring(folder), REDIS.address(), MINT.publicKey(), ledger, origin.address());
        gateways = new GatewayProcess[] {
            new GatewayProcess(folder, "old", yaml, launch(OLD)), new GatewayProcess(folder, "new", yaml, launch(NEW))
        };
        for (GatewayProcess gateway : gateways) {
            gateway.awaitReady();
        }
    }

    private static String redis() {
        return "{store: redis, deadline: 5s}";
    }

    private static String memcached(String client) {
        return "{store: memcached, deadline: 5s, memcached: {client: " + client + ", servers: [\"" + MEMCACHED.address()
                + "\"]}}";
    }

    private RawClient.Response send(int gateway, String line, String address, String... fields) {
        StringBuilder request =
                new StringBuilder(line + " HTTP/1.1\r\nHost: site.example\r\nX-Forwarded-For: " + address + "\r\n");
        List.of(fields).forEach(field -> request.append(field).append("\r\n"));
        try (RawClient client = new RawClient(gateways[gateway].port())) {
            return client.send(request.append("\r\n").toString()).read();
        }
    }

    private RawClient.Response get(int gateway, String path, String... fields) {
        return send(gateway, "GET " + path, "192.0.2.1", fields);
    }

    /** Creates a token for a challenge of that gateway, as a field. Until a gateway knows its store, it refuses. */
    private String token(int gateway, String path) {
        Awaitility.await().until(() -> get(gateway, path).status() == 401);
        return "Authorization: " + MINT.response(get(gateway, path).field("WWW-Authenticate"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"spymemcached", "netty", "redis"})
    void tokensThatOneSpentAreSpentAtTheOther(String store) throws IOException {
        startBoth(store.equals("redis") ? redis() : memcached(store));
        for (int challenged : new int[] {OLD, NEW}) {
            for (int spends : new int[] {OLD, NEW}) {
                String token = token(challenged, "/");
                String subject = "challenge of " + challenged + ", spent at " + spends;
                assertThat(get(spends, "/", token).status()).as(subject).isEqualTo(200);
                assertThat(get(1 - spends, "/", token).status())
                        .as(subject + ", " + PASSED_AGAIN + " by the other")
                        .isEqualTo(401);
                assertThat(get(spends, "/", token).status())
                        .as(subject + ", " + PASSED_AGAIN)
                        .isEqualTo(401);
            }
        }
    }

    @Test
    void sessionsOfOneAreValidAtTheOther() throws IOException {
        startBoth(memcached("netty"));
        for (int seller : new int[] {OLD, NEW}) {
            RawClient.Response sold = get(seller, "/session", token(1 - seller, "/session"));
            assertThat(sold.status()).isEqualTo(200);
            String cookie = "Cookie: " + sold.field("Set-Cookie").split(";", 2)[0];
            for (int gateway : new int[] {OLD, NEW}) {
                assertThat(get(gateway, "/session", cookie).status())
                        .as("session of %s at %s", seller, gateway)
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void limitsCountForBoth() throws IOException {
        startBoth(memcached("netty"));
        Awaitility.await().until(() -> get(OLD, "/limited").status() == 200);
        int passed = 1;
        for (int i = 0; i < 20; i++) {
            passed += get(i % 2, "/limited").status() == 200 ? 1 : 0;
        }
        assertThat(passed).isBetween(5, 6);
    }

    /** Visitor with an address, whose browser keeps the cookie. */
    private final class Visitor {

        private final String address;
        private String cookie = "none=none";

        Visitor(int number) {
            this.address = "198.51." + number + ".1";
        }

        RawClient.Response visit(int gateway) {
            RawClient.Response response = send(gateway, "GET /room", address, "Cookie: " + cookie);
            String given = response.field("Set-Cookie");
            cookie = given.isEmpty() ? cookie : given.split(";", 2)[0];
            return response;
        }

        String position(int gateway) {
            return visit(gateway).field("Postern-Queue-Position");
        }

        boolean admitted(int gateway) {
            return visit(gateway).status() == 200;
        }
    }

    @Test
    void visitorsOfBothAreInOneQueue() throws IOException {
        startBoth(memcached("netty"));
        Visitor inside = new Visitor(0);
        Visitor part = new Visitor(9);
        // A young server admits no session before both gateways have reported.
        Awaitility.await().until(() -> {
            send(NEW, "GET /room", part.address, "Sec-Fetch-Mode: cors"); // takes no place
            return inside.admitted(OLD);
        });
        Visitor[] waiting = {new Visitor(1), new Visitor(2), new Visitor(3)};
        for (int round : new int[] {0, 1}) {
            for (int i = 0; i < waiting.length; i++) {
                assertThat(waiting[i].position((i + round) % 2))
                        .as("visitor %s, at both", i)
                        .isEqualTo("" + (i + 1));
                assertThat(inside.admitted((i + round) % 2)).as("the pass").isTrue();
            }
        }
        // The visitor inside falls silent, until its session ends; the others go on asking.
        for (int i = 0; i < waiting.length; i++) {
            Visitor next = waiting[i];
            Visitor[] others = Arrays.copyOfRange(waiting, i + 1, waiting.length);
            int gateway = 1 - i % 2;
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> {
                for (Visitor other : others) {
                    assertThat(other.visit(gateway).status()).as("out of turn").isEqualTo(503);
                }
                return next.admitted(gateway);
            });
        }
    }

    @Test
    void eachReadsTheJournalOfTheOther() throws IOException, InterruptedException {
        String ledger = "{store: embedded, deadline: 5s, embedded: {journal: \"" + folder.resolve("journal") + "\"}}";
        String yaml = "listeners:\n  - {name: web, address: \"127.0.0.1:{port}\", congestion-control: reno}\n"
                + "admin: {address: \"127.0.0.1:{admin}\"}\n"
                + Replicas.yaml(1, Replicas.ring(folder), origin.address(), ledger);
        String first = "";
        String second = "";
        for (int version : new int[] {OLD, NEW, OLD}) {
            try (GatewayProcess gateway =
                    new GatewayProcess(folder, "journal-" + version, yaml, launch(version)).awaitReady()) {
                for (String spent : List.of(first, second)) {
                    if (!spent.isEmpty()) {
                        assertThat(Replicas.redeem(gateway.port(), spent))
                                .as(PASSED_AGAIN)
                                .isEqualTo(401);
                    }
                }
                second = first;
                first = Replicas.freshToken(gateway.port());
                assertThat(Replicas.redeem(gateway.port(), first)).isEqualTo(200);
                assertThat(Replicas.redeem(gateway.port(), first)).isEqualTo(401);
                gateway.terminate();
                assertThat(gateway.exitValue()).isZero();
            }
        }
    }
}
