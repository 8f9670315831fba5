package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.DnsExtension;
import dev.postern.core.testing.DnsReply;
import dev.postern.core.testing.FakeNameServer;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.ServerProcess;
import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the keys that select the server of an exchange, and the keys for retries on another server. */
class EndpointSettingsIT {

    private static final String ONE_LOOP = "transport.event-loops=1";
    private static final TestOrigin.Behaviour SILENT = (request, socket) -> {};
    private static final TestOrigin.Behaviour UNABLE =
            TestOrigin.Behaviour.raw("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n");

    private final TestOrigin one = new TestOrigin();
    private final TestOrigin other = new TestOrigin();

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    /** Returns a site with two servers, selected round-robin by default. */
    private Site two(String... settings) {
        return Site.with(
                List.of(
                        ONE_LOOP,
                        "upstreams.app.balance=round-robin",
                        "upstreams.app.endpoints=[\"" + one.address() + "\", \"" + other.address() + "\"]"),
                settings);
    }

    /** Sends requests and returns how many of them the second server received. */
    private int requestsToOther(Site site, int requests) {
        int count = other.received().size();
        for (int i = 0; i < requests; i++) {
            site.get("/");
        }
        return other.received().size() - count;
    }

    @Test
    void endpointsAreEjectedAfterFailures() {
        other.behave(UNABLE);
        try (Site site = two("upstreams.app.health={failures: 3, ejection: 1h, max-ejection: 1h}")) {
            assertThat(requestsToOther(site, 20)).isEqualTo(3);
            assertThat(site.metrics()).contains("postern_upstream_endpoints{state=\"usable\",upstream=\"app\"} 1.0");
        }
    }

    @Test
    void ejectedEndpointsReturnSlowly() {
        other.behave(UNABLE);
        try (Site site = two("upstreams.app.health={failures: 2, ejection: 1h, max-ejection: 1ms, slow-start: 1h}")) {
            requestsToOther(site, 4);
            other.behave(TestOrigin.Behaviour.ok("recovered"));
            Awaitility.await().until(() -> requestsToOther(site, 1) == 1);
            assertThat(requestsToOther(site, 44)).as("a tenth of its weight").isEqualTo(4);
        }
    }

    @Test
    void healthChecksEjectAndReadmit() {
        AtomicBoolean fit = new AtomicBoolean(true);
        try (Site site = Site.with()) {
            site.origin.behave((request, socket) -> {
                boolean check = request.line().contains("/healthz");
                (check && !fit.get() ? UNABLE : TestOrigin.Behaviour.ok("hello")).response(request, socket);
            });
            site.restart(
                    "upstreams.app.health.check={path: /healthz, host: app.example, interval: 20ms, rise: 1, fall: 1}");
            Awaitility.await().until(() -> site.get("/").status() == 200);
            fit.set(false);
            Awaitility.await().until(() -> site.get("/").body().contains("upstream-down"));
            fit.set(true);
            Awaitility.await().until(() -> site.get("/").status() == 200);
            assertThat(site.origin.received().stream()
                            .filter(r -> r.line().equals("GET /healthz HTTP/1.1"))
                            .map(r -> r.field("Host")))
                    .isNotEmpty()
                    .containsOnly("app.example");
        }
    }

    @Test
    void checksWithoutResponseFail() {
        try (Site site = Site.with()) {
            site.origin.behave(SILENT);
            // Requests before the second failed check get no response either.
            site.restart(
                    "upstreams.app.timeouts.first-byte=1s",
                    "upstreams.app.health.check={path: /healthz, interval: 20ms, timeout: 50ms, rise: 1000, fall: 2}");
            Awaitility.await().until(() -> site.get("/").body().contains("upstream-down"));
            site.origin.behave(TestOrigin.Behaviour.ok("hello"));
            int count = site.origin.received().size();
            Awaitility.await().until(() -> site.origin.received().size() > count + 3);
            assertThat(site.get("/").status())
                    .as("fewer than a thousand successes in a row")
                    .isEqualTo(503);
        }
    }

    @Test
    void breakerOpensAndClosesAgain() {
        String breaker = "upstreams.app.breaker={enabled: true, sliding-window-size: 1h, minimum-number-of-calls: 4,"
                + " permitted-number-of-calls-in-half-open-state: 2, ";
        try (Site site = Site.with()) {
            site.origin.behave(UNABLE);
            // One loop records the result of an exchange before the next exchange begins.
            site.restart(
                    breaker + "failure-rate-threshold: 100%, wait-duration-in-open-state: 1h}",
                    "upstreams.app.health.failures=0",
                    ONE_LOOP);
            for (int i = 0; i < 8; i++) {
                assertThat(site.get("/").status()).isEqualTo(503);
            }
            assertThat(site.origin.received()).hasSize(4);
            assertThat(site.get("/").body()).contains("upstream-down");
            assertThat(site.metrics()).contains("postern_upstream_breaker{upstream=\"app\"} 1.0");

            site.restart(
                    breaker + "failure-rate-threshold: 100%, wait-duration-in-open-state: 1ms}",
                    "upstreams.app.health.failures=0",
                    ONE_LOOP);
            for (int i = 0; i < 4; i++) {
                site.get("/");
            }
            site.origin.behave(TestOrigin.Behaviour.ok("recovered"));
            Awaitility.await().until(() -> site.get("/").status() == 200);
            assertThat(site.get("/").status()).as("the second trial").isEqualTo(200);
            assertThat(site.get("/").status()).as("after the breaker closed").isEqualTo(200);
            assertThat(site.metrics()).contains("postern_upstream_breaker{upstream=\"app\"} 0.0");

            site.origin.behave(UNABLE);
            site.restart("upstreams.app.breaker.enabled=false", "upstreams.app.health.failures=0");
            int count = site.origin.received().size();
            for (int i = 0; i < 8; i++) {
                site.get("/");
            }
            assertThat(site.origin.received()).hasSize(count + 8);
        }
    }

    @Test
    void breakerOpensAtTheConfiguredRate() {
        try (Site site = two(
                "upstreams.app.health.failures=0",
                "upstreams.app.breaker={enabled: true, sliding-window-size: 1h, minimum-number-of-calls: 10,"
                        + " failure-rate-threshold: 50%, wait-duration-in-open-state: 1h}")) {
            other.behave(UNABLE);
            requestsToOther(site, 20);
            assertThat(other.received()).hasSize(5);
            assertThat(site.get("/").body()).contains("upstream-down");
        }
    }

    @Test
    void anotherServerIsTriedWhenOneIsSilent() {
        other.behave(SILENT);
        // Long enough for a response on a busy machine.
        try (Site site = two("upstreams.app.timeouts.first-byte=10s", "upstreams.app.retry={per-try: 1s}")) {
            for (int i = 0; i < 4; i++) {
                assertThat(site.get("/").status()).isEqualTo(200);
            }
            assertThat(other.received()).isNotEmpty();
        }
    }

    @Test
    void unsafeRequestsAreNotSentAgain() {
        other.behave(SILENT);
        try (Site site = two("upstreams.app.timeouts.first-byte=2s", "upstreams.app.retry={per-try: 1s}");
                RawClient client = site.client()) {
            List<Integer> statuses = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                statuses.add(client.send(Site.request("POST", "/", "Content-Length: 0"))
                        .read()
                        .status());
            }
            assertThat(statuses).containsExactlyInAnyOrder(200, 504);
            assertThat(one.received()).hasSize(1);
            assertThat(other.received()).hasSize(1);
        }
    }

    @Test
    void exchangesWithTheSameHashKeyGoToOneServer() {
        try (Site site = two("upstreams.app.balance=ring-hash")) {
            assertThat(requestsToOther(site, 10)).as("one address").isIn(0, 10);
        }
        try (Site site = two("upstreams.app.balance=ring-hash", "upstreams.app.hash-by=header:X-Cart")) {
            List<Integer> shares = new ArrayList<>();
            for (int cart = 0; cart < 30; cart++) {
                int count = other.received().size();
                site.get("/", "X-Cart: " + cart);
                site.get("/", "X-Cart: " + cart);
                shares.add(other.received().size() - count);
            }
            assertThat(shares).contains(0, 2).doesNotContain(1);
        }
        try (Site site = two("upstreams.app.balance=ring-hash", "upstreams.app.hash-by=cookie:cart")) {
            int count = other.received().size();
            for (int cart = 0; cart < 30; cart++) {
                site.get("/", "Cookie: a=b; cart=" + cart + "; xcart=1");
            }
            assertThat(other.received().size() - count).isBetween(1, 29);
        }
        try (Site site = two("upstreams.app.balance=ring-hash", "upstreams.app.hash-by=path")) {
            int count = other.received().size();
            for (int page = 0; page < 30; page++) {
                site.get("/" + page);
            }
            assertThat(other.received().size() - count).isBetween(1, 29);
        }
    }

    @Test
    void unusedConnectionsAreClosedBeforeTheServerDoes() {
        try (Site site = Site.with("upstreams.app.pool.idle=20s")) {
            site.origin.behave(TestOrigin.Behaviour.raw(
                    "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=10, max=100\r\nContent-Length: 2\r\n\r\nok"));
            assertThat(site.get("/").field("Keep-Alive")).isEmpty();
            assertThat(site.metrics()).contains("postern_upstream_idle_limit{upstream=\"app\"} 8.0");
        }
    }

    @Test
    void namesAreResolvedAgain() {
        int port = ServerProcess.freePort();
        try (TestOrigin first = new TestOrigin("127.0.0.1", port);
                TestOrigin second = new TestOrigin("127.0.0.2", port);
                TestOrigin third = new TestOrigin("127.0.0.3", port);
                ServerProcess names = names(ServerProcess.freePort(), "127.0.0.1", "127.0.0.2")) {
            names.start();
            try (Site site = Site.with(
                    ONE_LOOP,
                    "transport.name-servers=[\"" + names.address() + "\"]",
                    "upstreams.app.balance=round-robin",
                    "upstreams.app.endpoints=[\"dns:app.example:" + port + "\"]")) {
                Awaitility.await()
                        .until(() -> site.get("/").status() == 200
                                && !first.received().isEmpty()
                                && !second.received().isEmpty());
                names.kill();
                assertThat(site.get("/").status())
                        .as("known addresses are kept")
                        .isEqualTo(200);
                try (ServerProcess restarted = names(names.port(), "127.0.0.3")) {
                    restarted.start();
                    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
                        int count = third.received().size();
                        site.get("/");
                        site.get("/");
                        return third.received().size() == count + 2;
                    });
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dns:app.example", "app.example"})
    void truncatedResponsesAreRepeatedOverTcp(String endpoint) throws IOException {
        int port = ServerProcess.freePort();
        try (TestOrigin origin = new TestOrigin("127.0.0.2", port);
                FakeNameServer names = new FakeNameServer()) {
            names.respond("A app.example", DnsReply.of().cut())
                    .respond("tcp A app.example", DnsReply.of("A 127.0.0.2"));
            try (Site site = Site.with(
                    ONE_LOOP,
                    "transport.name-servers=[\"127.0.0.1:" + names.socket().getPort() + "\"]",
                    "upstreams.app.endpoints=[\"" + endpoint + ":" + port + "\"]")) {
                Awaitility.await().until(() -> site.get("/").status() == 200);
                assertThat(origin.received()).isNotEmpty();
                assertThat(names.questions()).contains("tcp A app.example");
            }
        }
    }

    @Test
    void aTruncatedResponseWithSomeAddressesIsNotTakenForAll() throws IOException {
        int port = ServerProcess.freePort();
        try (TestOrigin first = new TestOrigin("127.0.0.1", port);
                TestOrigin second = new TestOrigin("127.0.0.2", port);
                FakeNameServer names = new FakeNameServer()) {
            names.respond("A app.example", DnsReply.of("A 127.0.0.1").cut())
                    .respond("tcp A app.example", DnsReply.of("A 127.0.0.1", "A 127.0.0.2"));
            try (Site site = withNames(names, port)) {
                Awaitility.await()
                        .until(() -> site.get("/").status() == 200
                                && !first.received().isEmpty()
                                && !second.received().isEmpty());
            }
        }
    }

    @Test
    void aTruncatedResponseThatCannotBeRepeatedIsBetterThanNone() throws IOException {
        int port = ServerProcess.freePort();
        try (TestOrigin first = new TestOrigin("127.0.0.1", port);
                FakeNameServer names = new FakeNameServer().withoutTcp()) {
            names.respond("A app.example", DnsReply.of("A 127.0.0.1").cut());
            try (Site site = withNames(names, port)) {
                Awaitility.await().until(() -> site.get("/").status() == 200);
                assertThat(first.received()).isNotEmpty();
            }
        }
    }

    private static Site withNames(FakeNameServer names, int port) {
        return Site.with(
                ONE_LOOP,
                "transport.name-servers=[\"127.0.0.1:" + names.socket().getPort() + "\"]",
                "upstreams.app.balance=round-robin",
                "upstreams.app.endpoints=[\"dns:app.example:" + port + "\"]");
    }

    private static ServerProcess names(int port, String... addresses) {
        return DnsExtension.process(
                port,
                Stream.of(addresses)
                        .map(address -> "--host-record=app.example," + address)
                        .toArray(String[]::new));
    }
}
