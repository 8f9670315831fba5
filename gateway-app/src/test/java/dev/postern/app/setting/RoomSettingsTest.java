package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the keys of rate limits and rooms. */
class RoomSettingsTest {

    private static final String ROUTE = "routes=[{upstream: app, token: off, rate-limit: site}]";

    private static final String OTHER_HOST =
            "routes=[{upstream: app, token: off, rate-limit: site}, {host: other.example, upstream: app, token: off, rate-limit: site}]";

    @TempDir
    private Path folder;

    private static MemorySite limited(String keys) {
        return MemorySite.with(ROUTE, "rate-limits=[{name: site, " + keys + "}]");
    }

    /** Returns a site with a room of one active session and almost no base rate. */
    private static MemorySite room(String keys) {
        return limited("rate: 1/h, burst: 0, per: route, fair-queue: {active-sessions: 1, " + keys + "}");
    }

    /** Uses the one request of the base rate, and then the one active session. */
    private static void occupy(MemorySite site) {
        assertThat(site.get("/").status()).isEqualTo(200);
        assertThat(site.get("/").status()).isEqualTo(200);
    }

    @Test
    void burstsAreAllowedUpToTheLimit() {
        try (MemorySite site = limited("rate: 1/h, burst: 3")) {
            for (int i = 0; i < 4; i++) {
                assertThat(site.get("/").status()).isEqualTo(200);
            }
            assertThat(site.get("/").status()).isEqualTo(429);
        }
    }

    @Test
    void aRoomNeedsNoRate() {
        try (MemorySite site = limited("fair-queue: {active-sessions: 2}")) {
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
        try (MemorySite site = MemorySite.with(ROUTE, "listeners.web.trusted-proxies=[127.0.0.0/8]", limit)) {
            assertThat(site.get("/").status()).isEqualTo(200);
            return site.get("/", field).status();
        }
    }

    @Test
    void ticketsMayBeBoundToNothing() {
        try (MemorySite site = room("bind: []")) {
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
            try (MemorySite site = MemorySite.with(ROUTE, limit, trusted)) {
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
        try (MemorySite site = room("page: {template: \"" + template + "\", languages: \"fr, es\"}")) {
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
        try (MemorySite site = room("page: {frame-ancestors: \"self, https://partner.example\"}")) {
            occupy(site);
            assertThat(site.get("/", "Accept: text/html").field("Content-Security-Policy"))
                    .endsWith("; frame-ancestors 'self' https://partner.example");
        }
        assertThatThrownBy(() -> room("page: {frame-ancestors: partner.example}"))
                .hasStackTraceContaining("page.frame-ancestors: partner.example (expected: none, or some of self, *,");
    }

    @Test
    void hostsShareTheRoomOfARule() {
        try (MemorySite site = MemorySite.with(
                OTHER_HOST,
                "rate-limits=[{name: site, rate: 1/h, burst: 0, per: client-address, fair-queue: {active-sessions: 1, room-per: rule}}]")) {
            occupy(site);
            assertThat(site.get("/", "Host: other.example").status()).isEqualTo(503);
        }
    }
}
