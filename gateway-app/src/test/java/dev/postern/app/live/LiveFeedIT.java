package dev.postern.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.app.admin.AdminServer;
import dev.postern.app.admin.AdminServers;
import dev.postern.app.live.LiveSample.Series;
import dev.postern.app.live.LiveSample.Value;
import dev.postern.core.metrics.Meters;
import dev.postern.core.testing.RawClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the stream over sockets, with readings that the test permits. */
class LiveFeedIT {

    private static final String LIVE = "POST /live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    private static final Duration OFTEN = Duration.ofMillis(20);

    private final AtomicInteger readings = new AtomicInteger();
    private final AtomicReference<String> document = new AtomicReference<>("");
    private final AtomicBoolean failing = new AtomicBoolean();
    private final Semaphore permitted = new Semaphore(Integer.MAX_VALUE);
    private final List<RawClient> clients = new ArrayList<>();
    private final LiveFeed feed = new LiveFeed(this::read, OFTEN, Duration.ofSeconds(2));
    private final AdminServer server =
            AdminServers.open(Map.of("/", LivePage.page()), Map.of("/", LivePage.index()), Map.of("/live", feed));

    @AfterEach
    void close() {
        clients.forEach(RawClient::close);
        server.close();
        feed.close();
    }

    /** Returns a reading: the first one has the value 10, each next one 10 more, two seconds later. */
    private LiveSample read() {
        permitted.acquireUninterruptibly();
        int number = readings.incrementAndGet();
        if (failing.get()) {
            throw new IllegalStateException("not now");
        }
        return new LiveSample(
                number * 2_000_000_000L,
                Map.of(new Series(Meters.EXCHANGES, Map.of("outcome", "complete")), new Value(10 * number, true)),
                Map.of(),
                Map.of("document", document.get()));
    }

    private RawClient client() {
        RawClient client = new RawClient(server.address().getPort());
        clients.add(client);
        return client;
    }

    private RawClient viewer() {
        RawClient viewer = client().send(LIVE);
        String head = line(viewer, "\r\n\r\n");
        assertThat(head).startsWith("HTTP/1.1 200 ").contains("text/event-stream", "no-store", "nosniff");
        return viewer;
    }

    /** Reads up to and including that text. */
    private static String line(RawClient client, String end) {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            String next = client.readBytes(1);
            assertThat(next).as("ended after: %s", text).isNotEmpty();
            text.append(next);
        }
        return text.toString();
    }

    private static JsonNode frame(RawClient viewer) {
        String event = line(viewer, "\n\n");
        return JsonMapper.shared().readTree(event.substring(event.indexOf("data: ") + 6));
    }

    private static JsonNode exchanges(JsonNode frame) {
        return frame.at("/meters/postern.exchanges/0");
    }

    private RawClient.Response get(String path, String fields) {
        return client().send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + fields + "\r\n")
                .read();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD"})
    void readingMethodsAreNoViewers(String method) {
        String head = client().send(method + " /live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                .rest();

        assertThat(head).startsWith("HTTP/1.1 405 ").contains("POST");
        assertThat(readings).hasValue(0);
    }

    @Test
    void sendsTheFirstFrameAtOnceAndThenRates() {
        permitted.drainPermits();
        RawClient viewer = viewer();
        permitted.release();
        JsonNode first = frame(viewer);
        permitted.release();
        JsonNode second = frame(viewer);

        assertThat(exchanges(first).at("/value").asDouble()).isEqualTo(10);
        assertThat(exchanges(first).at("/rate").isNull()).isTrue();
        assertThat(exchanges(second).at("/value").asDouble()).isEqualTo(20);
        assertThat(exchanges(second).at("/rate").asDouble()).isEqualTo(5);
        assertThat(second.at("/seconds").asDouble()).isEqualTo(2);
    }

    @Test
    void viewersShareReadings() {
        permitted.drainPermits();
        RawClient one = viewer();
        permitted.release();
        double first = exchanges(frame(one)).at("/value").asDouble();
        RawClient two = viewer();

        assertThat(exchanges(frame(two)).at("/value").asDouble())
                .as("at once, before the next reading")
                .isEqualTo(first);
        permitted.release();
        assertThat(exchanges(frame(one)).at("/rate").asDouble()).isEqualTo(5);
        assertThat(exchanges(frame(two)).at("/rate").asDouble())
                .as("a new viewer does not affect others")
                .isEqualTo(5);
        assertThat(readings).hasValue(2);
    }

    @Test
    void readsNothingWithoutViewers() {
        assertThat(readings).hasValue(0);
        RawClient viewer = viewer();
        frame(viewer);
        viewer.close();
        AtomicInteger readingsBefore = new AtomicInteger();
        await().pollInterval(OFTEN.multipliedBy(5))
                .until(() -> readingsBefore.getAndSet(readings.get()) == readingsBefore.get());

        permitted.drainPermits();
        RawClient next = viewer();
        permitted.release();
        assertThat(exchanges(frame(next)).at("/rate").isNull())
                .as("events without viewers do not count in the current rate")
                .isTrue();
    }

    @Test
    void limitsViewersAndServesProbes() {
        for (int i = 0; i < LiveFeed.MAX; i++) {
            frame(viewer());
        }

        RawClient another = client().send(LIVE);
        RawClient.Response head = another.readHead();
        assertThat(head.status()).isEqualTo(503);
        assertThat(head.field("Retry-After")).isEqualTo("5");
        String reason = "Too many live pages: 8 are open. Close one of them, or pause it.\n";
        assertThat(another.readBytes(reason.length())).isEqualTo(reason);
        for (int i = 0; i < 3 * LiveFeed.MAX; i++) {
            assertThat(get("/readyz", "").status()).isEqualTo(200);
        }
    }

    @Test
    void aDisconnectedViewerReleasesItsSlot() {
        for (int i = 0; i < LiveFeed.MAX; i++) {
            frame(viewer());
        }
        clients.get(3).reset();

        await().untilAsserted(() -> viewer());
    }

    @Test
    void closesAViewerThatDoesNotRead() {
        document.set("x".repeat(4_000_000)); // more than the capacity of the sockets
        for (int i = 0; i < LiveFeed.MAX; i++) {
            viewer(); // reads only the head
        }
        assertThat(client().send(LIVE).readHead().status()).isEqualTo(503);
        document.set("");

        await().untilAsserted(() -> frame(viewer()));
    }

    @Test
    void aFailedReadingEndsNoStream() {
        failing.set(true);
        RawClient viewer = viewer();
        await().until(() -> readings.get() > 2);
        failing.set(false);
        document.set("there");

        await().until(() -> frame(viewer).at("/state/document").asString().equals("there"));
    }

    @Test
    void shutdownEndsStreams() {
        permitted.drainPermits();
        RawClient waiting = viewer();
        permitted.release();
        frame(waiting);

        server.close();
        feed.close();

        assertThat(waiting.rest()).doesNotContain("data:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: http://site.example"})
    void refusesPagesOfOtherSites(String field) {
        assertThat(client().send(LIVE.replace("\r\n\r\n", "\r\n" + field + "\r\n\r\n"))
                        .readHead()
                        .status())
                .isEqualTo(403);
        assertThat(readings).hasValue(0);
    }

    @Test
    void servesThePageWithAStrictPolicy() {
        RawClient.Response page = get("/", "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n");

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.field("Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(page.field("Content-Security-Policy"))
                .startsWith("default-src 'none'; script-src 'sha256-")
                .contains("connect-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.field("Cache-Control")).isEqualTo("no-store");
        assertThat(page.field("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(page.field("Referrer-Policy")).isEqualTo("same-origin");
        assertThat(page.body()).doesNotContain("src=", "https:", "@import", "url(", " style=", "onclick");
    }

    @Test
    void servesAnIndexToOtherClients() {
        RawClient.Response list = get("/", "Accept: */*\r\n");

        assertThat(list.field("Content-Type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(list.body()).contains("/readyz", "/metrics", "/live");
        assertThat(get("/nothing", "Accept: text/html\r\n").status()).isEqualTo(404);
    }
}
