package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.DnsExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RedisExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests the keys of rate limits, rooms and their Redis. */
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

    /** Returns a site with a room of one active session and almost no base rate. */
    private static Site room(String keys) {
        return limited("rate: 1/h, burst: 0, per: route, fair-queue: {active-sessions: 1, " + keys + "}");
    }

    /** Uses the one request of the base rate, and then the one active session. */
    private static void occupy(Site site) {
        assertThat(site.get("/").status()).isEqualTo(200);
        assertThat(site.get("/").status()).isEqualTo(200);
    }

    @Test
    void burstsAreAllowedUpToTheLimit() {
        try (Site site = limited("rate: 1/h, burst: 3")) {
            for (int i = 0; i < 4; i++) {
                assertThat(site.get("/").status()).isEqualTo(200);
            }
            assertThat(site.get("/").status()).isEqualTo(429);
        }
    }

    @Test
    void aRoomNeedsNoRate() {
        try (Site site = limited("fair-queue: {active-sessions: 2}")) {
            String first = Site.cookie(site.get("/"));
            assertThat(site.get("/").status()).isEqualTo(200);
            assertThat(site.get("/").status()).isEqualTo(503);
            assertThat(site.get("/", "Cookie: " + first).status()).isEqualTo(200);
        }
        assertThatThrownBy(() -> limited("burst: 3"))
                .hasStackTraceContaining(
                        "rate: missing (expected: a rate such as 10/s, unless fair-queue has active-sessions)");
    }

    @Test
    void requestsAreCountedByTheConfiguredKey() {
        assertThat(statusOfSecondRequest("per: route", "Host: other.example")).isEqualTo(429);
        assertThat(statusOfSecondRequest("per: route", "X-Forwarded-For: 203.0.113.9"))
                .isEqualTo(429);
        assertThat(statusOfSecondRequest("per: \"header:X-Team\"", "X-Team: two"))
                .isEqualTo(200);
    }

    /** Returns the status of a request with the field after another request has used up the limit. */
    private static int statusOfSecondRequest(String per, String field) {
        String limit = "rate-limits=[{name: site, rate: 1/h, burst: 0, " + per + "}]";
        try (Site site = Site.with(ROUTE, "listeners.web.trusted-proxies=[127.0.0.0/8]", limit)) {
            assertThat(site.get("/").status()).isEqualTo(200);
            return site.get("/", field).status();
        }
    }

    @Test
    void ticketsMayBeBoundToNothing() {
        try (Site site = room("bind: []")) {
            occupy(site);
            String ticket = "Cookie: " + Site.cookie(site.get("/", "User-Agent: one"));
            assertThat(site.get("/", "User-Agent: two", ticket).field("Postern-Queue-Position"))
                    .isEqualTo("1");
        }
    }

    @Test
    void ticketsAreBoundToTheAddressOnlyWhereConfigured() {
        String trusted = "listeners.web.trusted-proxies=[127.0.0.0/8]";
        for (String bind : new String[] {"absence: 20s", "bind: [address, agent]"}) {
            String limit =
                    "rate-limits=[{name: site, rate: 1/h, burst: 0, per: route, fair-queue: {active-sessions: 1, "
                            + bind + "}}]";
            try (Site site = Site.with(ROUTE, limit, trusted)) {
                occupy(site);
                String ticket = "Cookie: " + Site.cookie(site.get("/", "X-Forwarded-For: 203.0.113.7"));
                assertThat(site.get("/", "X-Forwarded-For: 2001:db8::9", ticket).field("Postern-Queue-Position"))
                        .as(bind)
                        .isEqualTo(bind.contains("address") ? "2" : "1");
            }
        }
    }

    @Test
    void pageHasTheConfiguredTemplateAndLanguages() throws IOException {
        Path template = Files.writeString(folder.resolve("room.html"), "<title>Shop</title>{{position}} in {{lang}}");
        try (Site site = room("page: {template: \"" + template + "\", languages: \"fr, es\"}")) {
            occupy(site);
            assertThat(site.get("/", "Accept: text/html", "Accept-Language: de").body())
                    .isEqualTo("<title>Shop</title>1 in fr");
        }
        assertThatThrownBy(() -> room("page: {languages: klingon}"))
                .hasStackTraceContaining("page.languages: klingon (expected: auto, or some of en, ja,");
        Files.writeString(template, "<img src=logo.png>");
        assertThatThrownBy(() -> room("page: {template: \"" + template + "\"}"))
                .hasStackTraceContaining("<img src=logo.png (expected: nothing that has to be loaded");
        assertThatThrownBy(() -> room("page: {template: \"" + folder.resolve("none.html") + "\"}"))
                .hasStackTraceContaining("none.html (expected: a file that can be read)");
    }

    @Test
    void theConfiguredSitesMayShowThePageInAFrame() {
        try (Site site = room("page: {frame-ancestors: \"self, https://partner.example\"}")) {
            occupy(site);
            assertThat(site.get("/", "Accept: text/html").field("Content-Security-Policy"))
                    .endsWith("; frame-ancestors 'self' https://partner.example");
        }
        assertThatThrownBy(() -> room("page: {frame-ancestors: partner.example}"))
                .hasStackTraceContaining("page.frame-ancestors: partner.example (expected: none, or some of self, *,");
    }

    @Test
    void crawlersWithAVerifiedNameDoNotWait() {
        String agent = "User-Agent: Mozilla/5.0 (compatible; SearchBot/2.1)";
        try (Site site = Site.with(
                ROUTE,
                "rate-limits=[{name: site, rate: 1/h, burst: 0, fair-queue: {active-sessions: 1, crawlers: {searchbot: [search.example]}}}]",
                "transport.name-servers=[\"" + DNS.server().address() + "\"]")) {
            occupy(site);
            assertThat(site.get("/").status()).isEqualTo(503);
            // A lookup of a name that takes too long is repeated after some seconds.
            Awaitility.await().until(() -> site.get("/", agent).status() == 200);
        }
    }

    @Test
    void hostsShareTheRoomOfARule() {
        try (Site site = Site.with(
                OTHER_HOST,
                "rate-limits=[{name: site, rate: 1/h, burst: 0, per: client-address, fair-queue: {active-sessions: 1, room-per: rule}}]")) {
            occupy(site);
            assertThat(site.get("/", "Host: other.example").status()).isEqualTo(503);
        }
    }

    private static String keys() {
        try (RawClient redis = new RawClient(REDIS.server().port())) {
            return redis.send("KEYS *by-file*\r\n").readBytes(4);
        }
    }

    @Test
    void redisAddressMayComeFromAFile() throws IOException {
        Files.writeString(folder.resolve("redis"), "redis://" + REDIS.address() + "\n");
        try (Site site = Site.in(
                folder,
                ROUTE,
                "instance.namespace=by-file",
                "redis.uri-file=redis",
                "redis.deadline=5s",
                "rate-limits=[{name: site, rate: 10/m, burst: 100, store: redis}]")) {
            // Until the connection is established, a replica decides by its own share.
            Awaitility.await().until(() -> site.get("/").status() == 200 && keys().equals("*1\r\n"));
        }
    }
}
