package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Keys of listeners, admin, transport, limits, log and life cycle. */
class ServingSettingsIT {

    private static final String FORWARDED = "X-Forwarded-For: 203.0.113.9";

    @Test
    void trustedProxiesAreBelieved() {
        try (Site site = Site.with()) {
            site.get("/", FORWARDED);
            assertThat(site.origin.received().get(0).field("X-Forwarded-For")).isEqualTo("127.0.0.1");
        }
        try (Site site = Site.with("listeners.web.trusted-proxies=[127.0.0.0/8]")) {
            site.get("/", FORWARDED);
            assertThat(site.origin.received().get(0).field("X-Forwarded-For")).isEqualTo("203.0.113.9, 127.0.0.1");
        }
    }

    @Test
    void fieldsOfTrustedProxiesPassWhereTheyAreNamed() {
        String prefix = "X-Forwarded-Prefix: /a";
        String trusted = "listeners.web.trusted-proxies=[127.0.0.0/8]";
        try (Site site = Site.with(trusted)) {
            site.get("/", prefix);
            assertThat(site.origin.received().get(0).field("X-Forwarded-Prefix"))
                    .isEmpty();
        }
        try (Site site = Site.with(trusted, "listeners.web.trusted-fields=[x-forwarded-prefix]")) {
            site.get("/", prefix);
            assertThat(site.origin.received().get(0).field("X-Forwarded-Prefix"))
                    .isEqualTo("/a");
        }
    }

    @Test
    void twoAccountsOfOneClientAreRefused() {
        try (Site site = Site.with("listeners.web.trusted-proxies=[127.0.0.0/8]")) {
            assertThat(site.get("/", FORWARDED, "Forwarded: for=203.0.113.8").status())
                    .isEqualTo(400);
            assertThat(site.get("/", FORWARDED, "Forwarded: for=203.0.113.9").status())
                    .isEqualTo(200);
            assertThat(site.get("/", "Forwarded: for=\"203.0.113.9:99\"").status())
                    .isEqualTo(200);
            assertThat(site.origin.received().get(1).field("X-Forwarded-For")).isEqualTo("203.0.113.9, 127.0.0.1");
        }
        try (Site site = Site.with()) {
            assertThat(site.get("/", FORWARDED, "Forwarded: for=203.0.113.8").status())
                    .isEqualTo(200);
            assertThat(site.origin.received().get(0).field("Forwarded")).isEmpty();
        }
    }

    @Test
    void adminResponsesUnderHostsThatAreAllowed() {
        String request = "GET /livez HTTP/1.1\r\nHost: admin.example\r\n\r\n";
        try (Site site = Site.with();
                RawClient admin = new RawClient(site.gateway().admin().getPort())) {
            assertThat(admin.send(request).read().status()).isEqualTo(421);
        }
        try (Site site = Site.with("admin.allow-hosts=[admin.example]");
                RawClient admin = new RawClient(site.gateway().admin().getPort())) {
            assertThat(admin.send(request).read().status()).isEqualTo(200);
        }
    }

    @Test
    void readinessRequiresWhatItIsTold() {
        try (Site site = Site.with()) {
            assertThat(site.admin("/readyz").status()).isEqualTo(200);
        }
        try (Site site = Site.with(
                "admin.ready-requires=[keys]",
                "privacy-pass.issuers=[{name: away.example, directory: \"http://127.0.0.1:1/\"}]")) {
            assertThat(site.admin("/readyz").status()).isEqualTo(503);
        }
    }

    @Test
    void transportIsAsWished() {
        Set<Thread> before =
                Thread.getAllStackTraces().keySet(); // of other tests in this JVM, which may be ending still
        try (Site site = Site.with(
                "transport.kind=nio", "transport.event-loops=3", "transport.tcp-no-delay=false", "log.level=error")) {
            site.get("/");
            assertThat(site.context())
                    .containsPattern("\"item\":\"transport\",[^}]*\"found\":\"nio\"")
                    .containsPattern("listenerweb.tcp-no-delay\",[^}]*\"found\":\"false\"");
            for (int i = 0; i < 6; i++) {
                site.get("/");
            }
            assertThat(Thread.getAllStackTraces().keySet().stream()
                            .filter(t -> t.getName().startsWith("postern-loop") && !before.contains(t)))
                    .hasSize(3);
        }
        try (Site site = Site.with("transport.kind=io-uring")) {
            assertThat(site.get("/").status()).isEqualTo(200);
            assertThat(site.context())
                    .containsPattern("\"item\":\"transport\",[^}]*\"found\":\"io_uring\",\"verdict\":\"ok\"")
                    .containsPattern("upstreamapp.tcp-no-delay\",[^}]*\"found\":\"true\"");
        }
    }

    @Test
    void buffersComeFromTheAllocatorThatWasChosen() {
        try (Site site = Site.with("transport.allocator=adaptive")) {
            site.get("/");
            assertThat(site.admin("/metrics").body()).contains("allocator_type=\"AdaptiveByteBufAllocator\"");
        }
        try (Site site = Site.with("transport.allocator=pooled")) {
            site.get("/");
            assertThat(site.admin("/metrics").body()).contains("allocator_type=\"PooledByteBufAllocator\"");
        }
    }

    @Test
    void headsAreBounded() {
        String field = "X-Long: " + "x".repeat(20_000);
        try (Site site = Site.with()) {
            assertThat(site.get("/", field).status()).isEqualTo(431);
        }
        try (Site site = Site.with("limits.request-head=32KiB")) {
            assertThat(site.get("/", field).status()).isEqualTo(200);
        }
    }

    @Test
    void fieldsAndOptionsAreCounted() {
        String[] fields = Collections.nCopies(30, "X: y").toArray(String[]::new);
        String options = "Connection: a, b, c";
        try (Site site = Site.with()) {
            assertThat(site.get("/", fields).status()).isEqualTo(200);
            assertThat(site.get("/", options).status()).isEqualTo(200);
        }
        try (Site site = Site.with("limits.max-fields=30", "limits.max-connection-options=2")) {
            RawClient.Response response = site.get("/", fields);
            assertThat(response.status()).isEqualTo(431);
            assertThat(response.body()).contains("head-too-large");
            assertThat(site.get("/", options).body()).contains("request-malformed");
        }
    }

    @Test
    void bodiesAreBounded() {
        String post = Site.request("POST", "/", "Content-Length: 11") + "hello world";
        try (Site site = Site.with();
                RawClient client = site.client()) {
            assertThat(client.send(post).read().status()).isEqualTo(200);
        }
        try (Site site = Site.with("limits.request-body=10B");
                RawClient client = site.client()) {
            assertThat(client.send(post).read().status()).isEqualTo(413);
        }
        try (Site site = Site.with(
                        "limits.request-body=10B", "routes=[{upstream: app, token: off, request-body: 1KiB}]");
                RawClient client = site.client()) {
            assertThat(client.send(post).read().status()).isEqualTo(200);
        }
    }

    @Test
    void refusedBodiesAreReadAwayUpToTheBound() {
        String post = Site.request("POST", "/", "Content-Length: 100000");
        try (Site site = Site.asking();
                RawClient client = site.client()) {
            assertThat(client.send(post).read().field("Connection")).isEqualTo("close");
        }
        try (Site site = Site.asking("limits.discard-body=1MiB");
                RawClient client = site.client()) {
            assertThat(client.send(post).read().field("Connection")).isEmpty();
            assertThat(client.send("x".repeat(100_000)).get("/").status()).isEqualTo(401);
        }
    }

    @Test
    void slowHeadsAndBodiesAndSilentConnectionsEnd() {
        try (Site site = Site.with("limits.head-timeout=100ms", "limits.body-idle-timeout=100ms")) {
            try (RawClient slowHead = site.client()) {
                assertThat(slowHead.send("GET / HT").read().status()).isEqualTo(408);
            }
            try (RawClient slowBody = site.client()) {
                slowBody.send(Site.request("POST", "/", "Content-Length: 10") + "x");
                assertThat(slowBody.read().status()).isEqualTo(408);
            }
        }
        try (Site site = Site.with("limits.keep-alive-timeout=1s");
                RawClient silent = site.client()) {
            assertThat(silent.get("/").status()).isEqualTo(200);
            assertThat(silent.closedByPeer()).isTrue();
        }
    }

    @Test
    @Tag("long") // the rate is averaged over half a minute
    void slowBodiesEndWhereTheRouteDoesNotBearThem() {
        try (Site site = Site.with(
                        "limits.min-body-rate=1KiB/s",
                        "limits.body-idle-timeout=5m",
                        "routes=[{upstream: app, token: off}, {path: /any, upstream: app, token: off, min-body-rate: 0}]");
                RawClient slow = site.client();
                RawClient borne = site.client()) {
            borne.send(Site.request("POST", "/any", "Content-Length: 10") + "x");
            slow.send(Site.request("POST", "/", "Content-Length: 10") + "x");
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> site.admin("/metrics").body().contains("reason=\"body-rate\""));
            assertThat(slow.read().status()).isEqualTo(408);
            assertThat(borne.send("123456789").read().status()).isEqualTo(200);
        }
    }

    @Test
    void pipelinesAreAsDeepAsToldAndNoDeeper() {
        assertThat(respondsToTwoAtOnce("limits.pipeline-depth=2", 30_000)).isEqualTo("together");
        assertThat(respondsToTwoAtOnce("limits.pipeline-depth=1", 300)).isEqualTo("alone");
    }

    /** What the first of two pipelined requests finds: whether the second reaches the origin while it waits. */
    private static String respondsToTwoAtOnce(String depth, long patienceMillis) {
        CountDownLatch second = new CountDownLatch(1);
        try (Site site = Site.with(depth);
                RawClient client = site.client()) {
            site.origin.behave((request, socket) -> {
                boolean together = true;
                if (request.line().startsWith("GET /2 ")) {
                    second.countDown();
                } else {
                    together = await(second, patienceMillis);
                }
                TestOrigin.Behaviour.ok(together ? "together" : "alone").response(request, socket);
            });
            client.send(Site.request("GET", "/1") + Site.request("GET", "/2"));
            String first = client.read().body();
            assertThat(client.read().status()).isEqualTo(200);
            return first;
        }
    }

    private static boolean await(CountDownLatch latch, long millis) {
        try {
            return latch.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void responsesTellWhereTheirTimeWentWhereTheyShall() {
        try (Site site = Site.asking()) {
            assertThat(site.get("/", "Authorization: " + site.token()).head())
                    .doesNotContainIgnoringCase("server-timing");
        }
        try (Site site = Site.asking("listeners.web.server-timing=true", "transport.event-loops=1");
                FrameClient second = FrameClient.connect(site.port())) {
            String served = site.get("/", "Authorization: " + site.token()).field("server-timing");
            String lent = site.get("/", "Authorization: " + site.token()).field("server-timing");
            String refused = site.get("/").field("server-timing");
            String overHttp2 = second.get(1, "/").response(1).field("server-timing");

            assertThat(namesIn(served))
                    .containsExactly("match", "identify", "verify", "spend", "connect", "respond", "total");
            assertThat(namesIn(lent))
                    .as("over the same connection, which was lent at once")
                    .containsExactly("match", "identify", "verify", "spend", "respond", "total");
            assertThat(sum(lent)).isCloseTo(duration(lent, "total"), within(0.02));
            assertThat(sum(served)).isCloseTo(duration(served, "total"), within(0.02)); // each is cut to a microsecond
            assertThat(namesIn(refused)).containsExactly("match", "identify", "total");
            assertThat(namesIn(overHttp2)).containsExactly("match", "identify", "total");
        }
    }

    private static List<String> namesIn(String timing) {
        return Arrays.stream(timing.split(", "))
                .map(metric -> metric.replaceAll(";.*", ""))
                .toList();
    }

    private static double sum(String timing) {
        return namesIn(timing).stream()
                .filter(name -> !name.equals("total"))
                .mapToDouble(name -> duration(timing, name))
                .sum();
    }

    private static double duration(String timing, String name) {
        return Arrays.stream(timing.split(", "))
                .filter(metric -> metric.startsWith(name + ";dur="))
                .mapToDouble(metric -> Double.parseDouble(metric.substring(name.length() + 5)))
                .sum();
    }

    @Test
    void logHoldsWhatItMay() {
        try (Site site = Site.with()) {
            site.get("/p?q=1");
            line(site, "\"client\":\"127.0.0.0/24\"", "\"path\":\"/p\"");
            assertThat(site.lines.toString()).doesNotContain("q=1");
        }
        try (Site site = Site.with("log.client-address=off", "log.query=on")) {
            site.get("/p?q=1");
            line(site, "q=1");
            assertThat(site.lines.toString()).doesNotContain("127.0.0");
        }
        try (Site site = Site.with("log.successes=0%")) {
            site.get("/good");
            site.origin.close();
            // Its last kept-alive connection may still response while it closes.
            Awaitility.await().until(() -> site.get("/bad").status() == 502);
            line(site, "/bad");
            assertThat(site.lines.toString()).doesNotContain("/good");
        }
    }

    @Test
    void refusalsAreLoggedUpToTheRate() {
        for (String rate : new String[] {"2/h", "0"}) {
            boolean bounded = rate.equals("2/h");
            try (Site site = Site.asking("log.refusal-rate=" + rate)) {
                for (int i = 0; i < 5; i++) {
                    assertThat(site.get("/").status()).isEqualTo(401);
                }
                Awaitility.await()
                        .untilAsserted(() -> assertThat(site.admin("/metrics").body())
                                .contains("postern_log_lost_total " + (bounded ? "3.0" : "0.0")));
                Awaitility.await().untilAsserted(() -> assertThat(site.lines).hasSize(bounded ? 2 : 5));
            }
        }
    }

    @Test
    void destinationsOfTunnelsAreNotLoggedUnlessWished() {
        for (String wish : new String[] {"off", "on"}) {
            try (Site site = Site.with(
                            "listeners=[{name: out, address: \"127.0.0.1:0\", mode: forward, forward: default}]",
                            "forward={default: {token: off, allow-ports: [443]}}",
                            "log.destination=" + wish);
                    RawClient client = site.client("out")) {
                client.send("CONNECT forbidden.example:25 HTTP/1.1\r\nHost: forbidden.example:25\r\n\r\n");
                assertThat(client.readHead().status()).isEqualTo(403);
                line(site, "destination-forbidden");
                assertThat(site.lines.toString().contains("forbidden.example")).isEqualTo(wish.equals("on"));
            }
        }
    }

    private static void line(Site site, String... parts) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(String.join("\n", site.lines)).contains(parts));
    }

    @Test
    void levelIsThatOfTheLog() {
        try (Site site = Site.with("log.level=debug")) {
            assertThat(site.admin("/livez").status()).isEqualTo(200);
            assertThat(LoggerFactory.getLogger("dev.postern.app").isDebugEnabled())
                    .isTrue();
        }
        try (Site site = Site.with("log.level=error")) {
            assertThat(site.admin("/livez").status()).isEqualTo(200);
            assertThat(LoggerFactory.getLogger("dev.postern.app").isWarnEnabled())
                    .isFalse();
        }
    }

    @Test
    void acceptsForAWhileWhenItIsNotReadyAnyMore() throws InterruptedException {
        try (Site site = Site.with("lifecycle.drain-delay=4s")) {
            Thread draining = new Thread(() -> drain(site), "draining");
            draining.start();
            Awaitility.await().until(() -> site.admin("/readyz").status() == 503);

            assertThat(site.get("/").status()).isEqualTo(200); // a new connection
            draining.join();
        }
    }

    private static void drain(Site site) {
        try {
            site.gateway().drain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void drainingEndsWhenItsTimeIsOver() throws InterruptedException {
        try (Site site = Site.with("lifecycle.drain-timeout=100ms");
                RawClient client = site.client()) {
            CountDownLatch asked = new CountDownLatch(1);
            site.origin.behave((request, socket) -> asked.countDown());
            client.send(Site.request("GET", "/never"));
            assertThat(await(asked, 30_000)).isTrue();
            site.gateway().drain();
            assertThatThrownBy(client::read).isInstanceOf(IllegalStateException.class);
        }
    }
}
