package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests the keys that select the server of an exchange, and the keys for retries on another server. */
class EndpointSettingsTest {

    private static final TestOrigin.Behaviour SILENT = (request, socket) -> {};
    private static final TestOrigin.Behaviour UNABLE =
            TestOrigin.Behaviour.raw("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n");

    /** Returns a site with two servers, selected round-robin by default. */
    private static MemorySite two(String... settings) {
        return MemorySite.with(
                List.of(
                        "upstreams.app.balance=round-robin",
                        "upstreams.app.endpoints=[\"127.0.0.1:1000\", \"127.0.0.1:1001\"]"),
                settings);
    }

    /** Lets the time of some checks pass, one by one. */
    private static void passChecks(MemorySite site) {
        for (int i = 0; i < 20; i++) {
            site.pass(Duration.ofMillis(20));
        }
    }

    /** Sends requests and returns how many of them the second server received. */
    private static int requestsToOther(MemorySite site, int requests) {
        int count = site.other.received().size();
        for (int i = 0; i < requests; i++) {
            site.get("/");
        }
        return site.other.received().size() - count;
    }

    private static TestOrigin.Received last(MemorySite site) {
        return site.origin.received().get(site.origin.received().size() - 1);
    }

    @Test
    void endpointsAreEjectedAfterFailures() {
        try (MemorySite site = two("upstreams.app.health={failures: 3, ejection: 1h, max-ejection: 1h}")) {
            site.other.behave(UNABLE);
            assertThat(requestsToOther(site, 20)).isEqualTo(3);
            assertThat(site.metrics()).contains("postern_upstream_endpoints{state=\"usable\",upstream=\"app\"} 1.0");
        }
    }

    @Test
    void ejectedEndpointsReturnSlowly() {
        try (MemorySite site =
                two("upstreams.app.health={failures: 2, ejection: 1h, max-ejection: 1ms, slow-start: 1h}")) {
            site.other.behave(UNABLE);
            requestsToOther(site, 4);
            site.other.behave(TestOrigin.Behaviour.ok("recovered"));
            site.pass(Duration.ofMillis(1));
            assertThat(requestsToOther(site, 44)).as("a tenth of its weight").isEqualTo(4);
        }
    }

    @Test
    void healthChecksEjectAndReadmit() {
        AtomicBoolean fit = new AtomicBoolean(true);
        try (MemorySite site = MemorySite.with()) {
            site.origin.behave((request, socket) -> {
                boolean check = request.line().contains("/healthz");
                (check && !fit.get() ? UNABLE : TestOrigin.Behaviour.ok("hello")).response(request, socket);
            });
            site.restart(
                    "upstreams.app.health.check={path: /healthz, host: app.example, interval: 20ms, rise: 1, fall: 1}");
            passChecks(site);
            assertThat(site.get("/").status()).isEqualTo(200);
            fit.set(false);
            passChecks(site);
            assertThat(site.get("/").body()).contains("upstream-down");
            fit.set(true);
            passChecks(site);
            assertThat(site.get("/").status()).isEqualTo(200);
            assertThat(site.origin.received().stream()
                            .filter(r -> r.line().equals("GET /healthz HTTP/1.1"))
                            .map(r -> r.field("Host")))
                    .isNotEmpty()
                    .containsOnly("app.example");
        }
    }

    @Test
    void requestsHaveTheConfiguredHost() {
        try (MemorySite site = MemorySite.with()) {
            site.get("/");
            assertThat(last(site).field("Host")).isEqualTo("site.example");
            site.apply("upstreams.app.host=endpoint");
            site.get("/");
            assertThat(last(site).field("Host")).isEqualTo("127.0.0.1:1000");
            assertThat(last(site).field("X-Forwarded-Host")).isEqualTo("site.example");
            site.apply("upstreams.app.host=shop.example");
            site.get("/", "Connection: upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");
            assertThat(last(site).field("Host")).isEqualTo("shop.example");
            assertThat(last(site).field("Upgrade")).isEqualTo("websocket");
            assertThat(last(site).field("X-Forwarded-Host")).isEqualTo("site.example");
            site.restart(
                    "upstreams.app.host=shop.example", "upstreams.app.health.check={path: /healthz, interval: 20ms}");
            passChecks(site);
            assertThat(last(site).line()).isEqualTo("GET /healthz HTTP/1.1");
            assertThat(last(site).field("Host")).isEqualTo("shop.example");
        }
    }

    @Test
    void checksWithoutResponseFail() {
        try (MemorySite site = MemorySite.with(
                "upstreams.app.health.check={path: /healthz, interval: 20ms, timeout: 50ms, rise: 1000, fall: 2}")) {
            site.origin.behave((request, socket) -> {
                boolean check = request.line().contains("/healthz");
                (check ? SILENT : TestOrigin.Behaviour.ok("hello")).response(request, socket);
            });
            site.pass(Duration.ofMillis(80));
            assertThat(site.get("/").status()).as("one check has failed").isEqualTo(200);
            passChecks(site);
            assertThat(site.get("/").body()).contains("upstream-down");
            site.origin.behave(TestOrigin.Behaviour.ok("hello"));
            int count = site.origin.received().size();
            passChecks(site);
            assertThat(site.origin.received().size()).isGreaterThan(count + 3);
            assertThat(site.get("/").status())
                    .as("fewer than a thousand successes in a row")
                    .isEqualTo(503);
        }
    }

    @Test
    void breakerOpensAndClosesAgain() {
        String breaker = "upstreams.app.breaker={enabled: true, sliding-window-size: 1h, minimum-number-of-calls: 4,"
                + " permitted-number-of-calls-in-half-open-state: 2, ";
        try (MemorySite site = MemorySite.with()) {
            site.origin.behave(UNABLE);
            site.restart(
                    breaker + "failure-rate-threshold: 100%, wait-duration-in-open-state: 1h}",
                    "upstreams.app.health.failures=0");
            for (int i = 0; i < 8; i++) {
                assertThat(site.get("/").status()).isEqualTo(503);
            }
            assertThat(site.origin.received()).hasSize(4);
            assertThat(site.get("/").body()).contains("upstream-down");
            assertThat(site.metrics()).contains("postern_upstream_breaker{upstream=\"app\"} 1.0");

            site.restart(
                    breaker + "failure-rate-threshold: 100%, wait-duration-in-open-state: 1ms}",
                    "upstreams.app.health.failures=0");
            for (int i = 0; i < 4; i++) {
                site.get("/");
            }
            site.origin.behave(TestOrigin.Behaviour.ok("recovered"));
            site.pass(Duration.ofMillis(2));
            assertThat(site.get("/").status()).as("the first trial").isEqualTo(200);
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
        try (MemorySite site = two(
                "upstreams.app.health.failures=0",
                "upstreams.app.breaker={enabled: true, sliding-window-size: 1h, minimum-number-of-calls: 10,"
                        + " failure-rate-threshold: 50%, wait-duration-in-open-state: 1h}")) {
            site.other.behave(UNABLE);
            requestsToOther(site, 20);
            assertThat(site.other.received()).hasSize(5);
            assertThat(site.get("/").body()).contains("upstream-down");
        }
    }

    @Test
    void anotherServerIsTriedWhenOneIsSilent() {
        try (MemorySite site = two("upstreams.app.timeouts.first-byte=10s", "upstreams.app.retry={per-try: 1s}")) {
            site.other.behave(SILENT);
            for (int i = 0; i < 2; i++) {
                try (RawClient client = site.client()) {
                    client.send(Site.request("GET", "/"));
                    site.pass(Duration.ofSeconds(1));
                    assertThat(client.read().status()).isEqualTo(200);
                }
            }
            assertThat(site.other.received()).hasSize(1);
        }
    }

    @Test
    void unsafeRequestsAreNotSentAgain() {
        try (MemorySite site = two("upstreams.app.timeouts.first-byte=2s", "upstreams.app.retry={per-try: 1s}");
                RawClient client = site.client()) {
            site.other.behave(SILENT);
            List<Integer> statuses = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                client.send(Site.request("POST", "/", "Content-Length: 0"));
                site.pass(Duration.ofSeconds(2));
                statuses.add(client.read().status());
            }
            assertThat(statuses).containsExactlyInAnyOrder(200, 504);
            assertThat(site.origin.received()).hasSize(1);
            assertThat(site.other.received()).hasSize(1);
        }
    }

    @Test
    void exchangesWithTheSameHashKeyGoToOneServer() {
        try (MemorySite site = two("upstreams.app.balance=ring-hash")) {
            assertThat(requestsToOther(site, 10)).as("one address").isIn(0, 10);
        }
        try (MemorySite site = two("upstreams.app.balance=ring-hash", "upstreams.app.hash-by=header:X-Cart")) {
            List<Integer> shares = new ArrayList<>();
            for (int cart = 0; cart < 30; cart++) {
                int count = site.other.received().size();
                site.get("/", "X-Cart: " + cart);
                site.get("/", "X-Cart: " + cart);
                shares.add(site.other.received().size() - count);
            }
            assertThat(shares).contains(0, 2).doesNotContain(1);
        }
        try (MemorySite site = two("upstreams.app.balance=ring-hash", "upstreams.app.hash-by=cookie:cart")) {
            int count = site.other.received().size();
            for (int cart = 0; cart < 30; cart++) {
                site.get("/", "Cookie: a=b; cart=" + cart + "; xcart=1");
            }
            assertThat(site.other.received().size() - count).isBetween(1, 29);
        }
        try (MemorySite site = two("upstreams.app.balance=ring-hash", "upstreams.app.hash-by=path")) {
            int count = site.other.received().size();
            for (int page = 0; page < 30; page++) {
                site.get("/" + page);
            }
            assertThat(site.other.received().size() - count).isBetween(1, 29);
        }
    }

    @Test
    void unusedConnectionsAreClosedBeforeTheServerDoes() {
        try (MemorySite site = MemorySite.with("upstreams.app.pool.idle=20s")) {
            site.origin.behave(TestOrigin.Behaviour.raw(
                    "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=10, max=100\r\nContent-Length: 2\r\n\r\nok"));
            assertThat(site.get("/").field("Keep-Alive")).isEmpty();
            assertThat(site.metrics()).contains("postern_upstream_idle_limit{upstream=\"app\"} 8.0");
        }
    }
}
