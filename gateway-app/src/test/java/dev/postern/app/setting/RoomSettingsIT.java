package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.DnsExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RedisExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Keys of rate limits, rooms and their Redis. */
class RoomSettingsIT {

    @RegisterExtension
    static final RedisExtension REDIS = new RedisExtension();

    @RegisterExtension
    static final DnsExtension DNS = new DnsExtension("--host-record=crawl-1.search.example,127.0.0.1");

    private static final String ROUTE = "routes=[{upstream: app, token: off, rate-limit: site}]";

    private static final String OTHER_HOST =
            "routes=[{upstream: app, token: off, rate-limit: site}, {host: other.example, upstream: app, token: off, rate-limit: site}]";

    @TempDir
    private Path folder;

    private static Site limited(String keys) {
        return Site.with(ROUTE, "rate-limits=[{name: site, " + keys + "}]");
    }

    /** A room with one active session and almost no base rate. */
    private static Site room(String keys) {
        return limited("rate: 1/h, burst: 0, per: route, fair-queue: {active-sessions: 1, " + keys + "}");
    }

    /** The same behind those routes, with one rate for all of them. */
    private static Site rooms(String keys, String routes) {
        String queue = "fair-queue: {active-sessions: 1, " + keys + "}";
        return Site.with(routes, "rate-limits=[{name: site, rate: 1/h, burst: 0, per: client-address, " + queue + "}]");
    }

    private static String cookie(RawClient.Response response) {
        String cookie = response.field("Set-Cookie").split(";", 2)[0];
        return "Cookie: " + (cookie.isEmpty() ? "none=none" : cookie);
    }

    /** Takes the free request of the hour and then the one seat; gives the cookie of the seat. */
    private static String occupy(Site site) {
        assertThat(site.get("/").status()).isEqualTo(200);
        RawClient.Response seated = site.get("/");
        assertThat(seated.status()).isEqualTo(200);
        return cookie(seated);
    }

    @Test
    void burstsAreAllowedAsTold() {
        assertThat(passedOfFive("rate: 1/h, burst: 0")).isEqualTo(1);
        assertThat(passedOfFive("rate: 1/h, burst: 3")).isEqualTo(4);
        assertThat(passedOfFive("rate: 1000/s, burst: 10")).isEqualTo(5);
    }

    private static int passedOfFive(String keys) {
        try (Site site = limited(keys)) {
            int passed = 0;
            for (int i = 0; i < 5; i++) {
                passed += site.get("/").status() == 200 ? 1 : 0;
            }
            return passed;
        }
    }

    @Test
    void countsByWhatItIsTold() {
        assertThat(secondVisitor("per: host", "Host: other.example", OTHER_HOST))
                .isEqualTo(200);
        assertThat(secondVisitor("per: host", "Host: other.example"))
                .as("of the same route")
                .isEqualTo(429);
        assertThat(secondVisitor("per: route", "Host: other.example")).isEqualTo(429);
        assertThat(secondVisitor("per: client-address", "Host: other.example", OTHER_HOST))
                .isEqualTo(429);
        assertThat(secondVisitor("per: \"header:X-Team\"", "X-Team: two")).isEqualTo(200);
        assertThat(secondVisitor("per: host", "X-Team: two")).isEqualTo(429);
        assertThat(secondVisitor("per: client-address", "X-Forwarded-For: 203.0.113.9"))
                .isEqualTo(200);
        assertThat(secondVisitor("per: route", "X-Forwarded-For: 203.0.113.9")).isEqualTo(429);
    }

    /** The status of a visitor with that field behind one that has used up the limit. */
    private static int secondVisitor(String per, String field, String... settings) {
        String limit = "rate-limits=[{name: site, rate: 1/h, burst: 0, " + per + "}]";
        Stream<String> usual = Stream.of(ROUTE, "listeners.web.trusted-proxies=[127.0.0.0/8]", limit);
        try (Site site = Site.with(Stream.concat(usual, Stream.of(settings)).toArray(String[]::new))) {
            assertThat(site.get("/").status()).isEqualTo(200);
            return site.get("/", field).status();
        }
    }

    @Test
    void sessionsHaveARateOfTheirOwn() {
        try (Site site = room("per-session-rate: 1/m")) {
            String seat = occupy(site);
            Awaitility.await().until(() -> site.get("/", seat).status() == 429);
        }
        try (Site site = room("per-session-rate: 0/s")) {
            String seat = occupy(site);
            for (int i = 0; i < 100; i++) {
                assertThat(site.get("/", seat).status()).isEqualTo(200);
            }
        }
    }

    @Test
    void roomsHoldAsManyAsTold() {
        try (Site site = room("max-waiting: 1")) {
            occupy(site);
            assertThat(site.get("/").field("Postern-Queue-Position")).isEqualTo("1");
            assertThat(site.get("/").body()).contains("room-full");
        }
    }

    @Test
    void waitingHasTheStatusThatWasChosen() {
        for (int status : new int[] {503, 429, 202, 200}) {
            try (Site site = room("waiting-status: " + status)) {
                occupy(site);
                RawClient.Response waiting = site.get("/");
                assertThat(waiting.status()).isEqualTo(status);
                assertThat(waiting.field("Postern-Queue-Position")).isEqualTo("1");
            }
        }
    }

    @Test
    void ticketsAreBoundToWhatIsTold() {
        try (Site site = room("bind: [address, agent]")) {
            occupy(site);
            String ticket = cookie(site.get("/", "User-Agent: one"));
            assertThat(site.get("/", "User-Agent: one", ticket).field("Postern-Queue-Position"))
                    .isEqualTo("1");
            assertThat(site.get("/", "User-Agent: two", ticket).field("Postern-Queue-Position"))
                    .isEqualTo("2");
        }
        try (Site site = room("bind: []")) {
            occupy(site);
            String ticket = cookie(site.get("/", "User-Agent: one"));
            assertThat(site.get("/", "User-Agent: two", ticket).field("Postern-Queue-Position"))
                    .isEqualTo("1");
        }
    }

    @Test
    void thePageIsTheOperatorsAndInItsReadersLanguage() throws IOException {
        assertThat(pageInGerman("waiting-status: 503"))
                .contains("<html lang=\"de\" dir=\"ltr\">", "Sie stehen in der Schlange");
        assertThat(pageInGerman("page: {languages: \"fr, es\"}")).contains("<html lang=\"fr\"", "Votre place");

        Path template = Files.writeString(folder.resolve("room.html"), "<title>Shop</title>{{position}} in {{lang}}");
        assertThat(pageInGerman("page: {template: \"" + template + "\"}")).isEqualTo("<title>Shop</title>1 in de");

        assertThatThrownBy(() -> room("page: {languages: klingon}"))
                .hasStackTraceContaining("page.languages: klingon (expected: auto, or some of en, ja,");
        Files.writeString(template, "<img src=logo.png>");
        assertThatThrownBy(() -> room("page: {template: \"" + template + "\"}"))
                .hasStackTraceContaining("<img src=logo.png (expected: nothing that has to be loaded");
        assertThatThrownBy(() -> room("page: {template: \"" + folder.resolve("none.html") + "\"}"))
                .hasStackTraceContaining("none.html (expected: a file that can be read)");
    }

    private static String pageInGerman(String keys) {
        try (Site site = room(keys)) {
            occupy(site);
            return site.get("/", "Accept: text/html", "Accept-Language: de-AT, en;q=0.5")
                    .body();
        }
    }

    @Test
    void someNeedNotWait() {
        try (Site site = room("bypass: [/health]")) {
            occupy(site);
            assertThat(site.get("/").status()).isEqualTo(503);
            assertThat(site.get("/health").status()).isEqualTo(200);
        }
        try (Site site = room("bypass: [127.0.0.0/8]")) {
            for (int i = 0; i < 20; i++) {
                assertThat(site.get("/").status()).isEqualTo(200);
            }
        }
    }

    @Test
    void crawlersNeedNotWaitWhenTheirNamesLeadBack() {
        String agent = "User-Agent: Mozilla/5.0 (compatible; SearchBot/2.1)";
        String servers = "transport.name-servers=[\"127.0.0.1:" + DNS.server().port() + "\"]";
        try (Site site = crawled("{searchbot: [search.example]}", servers)) {
            occupy(site);
            assertThat(site.get("/").status()).isEqualTo(503);
            assertThat(site.get("/", agent).status()).isEqualTo(200);
        }
        try (Site site = crawled("{searchbot: [another.example]}", servers)) {
            occupy(site);
            assertThat(site.get("/", agent).status()).isEqualTo(503);
        }
        try (Site site = crawled("{searchbot: [search.example]}", "transport.name-servers=[\"127.0.0.1:1\"]")) {
            occupy(site);
            assertThat(site.get("/", agent).status()).isEqualTo(503);
        }
    }

    private static Site crawled(String crawlers, String nameServers) {
        String room = "fair-queue: {active-sessions: 1, crawlers: " + crawlers + "}";
        return Site.with(ROUTE, "rate-limits=[{name: site, rate: 1/h, burst: 0, " + room + "}]", nameServers);
    }

    @Test
    void hostsShareARoomOrNot() {
        try (Site site = rooms("room-per: rule", OTHER_HOST)) {
            occupy(site);
            assertThat(site.get("/", "Host: other.example").status()).isEqualTo(503);
        }
        try (Site site = rooms("room-per: host", OTHER_HOST)) {
            occupy(site);
            assertThat(site.get("/", "Host: other.example").status()).isEqualTo(200);
        }
        try (Site site = rooms("room-per: host", ROUTE)) {
            occupy(site);
            assertThat(site.get("/", "Host: other.example").status())
                    .as("of the same route")
                    .isEqualTo(503);
        }
    }

    @Test
    void passesEndAndTheAbsentLoseTheirPlace() {
        for (String end : new String[] {"idle: 1s", "pass: 1s"}) {
            try (Site site = room(end)) {
                occupy(site);
                String[] ticket = {cookie(site.get("/"))};
                Awaitility.await().pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
                    RawClient.Response response = site.get("/", ticket[0]);
                    ticket[0] = cookie(response);
                    assertThat(response.status()).as(end).isEqualTo(200);
                });
            }
        }
        try (Site site = room("absence: 3s")) {
            occupy(site);
            site.get("/");
            RawClient.Response behind = site.get("/");
            assertThat(behind.field("Postern-Queue-Position")).isEqualTo("2");
            String[] ticket = {cookie(behind)};
            Awaitility.await().pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
                RawClient.Response response = site.get("/", ticket[0]);
                ticket[0] = cookie(response);
                assertThat(response.field("Postern-Queue-Position")).isEqualTo("1");
            });
        }
    }

    private static String keys() {
        try (RawClient redis = new RawClient(REDIS.server().port())) {
            return redis.send("KEYS *by-file*\r\n").readBytes(4);
        }
    }

    @Test
    void redisIsNamedByAFile() throws IOException {
        Files.writeString(folder.resolve("redis"), "redis://" + REDIS.address() + "\n");
        try (Site site = Site.in(
                folder,
                ROUTE,
                "instance.namespace=by-file",
                "redis.uri-file=redis",
                "redis.deadline=5s",
                "rate-limits=[{name: site, rate: 10/m, burst: 100, store: redis}]")) {
            // While the connection is being made, a node decides by its own share.
            Awaitility.await().until(() -> site.get("/").status() == 200 && keys().equals("*1\r\n"));
        }
    }
}
