package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.RawClient;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests whether routes require tokens, and sessions: {@code routes[].token}, {@code enforcement}, {@code session}. */
class ModeSettingsTest {

    private static MemorySite withSessions(String route, String... settings) {
        return MemorySite.with(
                List.of("routes=[{upstream: app, token: session" + route + "}]", Site.issuer()), settings);
    }

    private static String cookie(RawClient.Response response) {
        for (String line : response.head().split("\r\n")) {
            if (line.toLowerCase(java.util.Locale.ROOT).startsWith("set-cookie: ") && line.contains("session=")) {
                return line.substring(12).split(";")[0];
            }
        }
        throw new AssertionError("no session in " + response.head());
    }

    @Test
    void aTokenOpensASessionThatIsHiddenFromTheOrigin() {
        try (MemorySite site = withSessions("", "privacy-pass.session={lifetime: 4h, cookie: my-session}")) {
            String token = site.token();
            RawClient.Response opened = site.get("/", "Authorization: " + token, "Cookie: a=b");
            assertThat(opened.status()).isEqualTo(200);
            assertThat(opened.head().toLowerCase(java.util.Locale.ROOT)).contains("cache-control: no-store");
            assertThat(opened.field("Set-Cookie")).contains("Max-Age=14400;");
            String session = cookie(opened);
            assertThat(session).startsWith("my-session=");

            String kept = site.token();
            assertThat(site.get("/", "Cookie: a=b; " + session, "Authorization: Bearer theirs")
                            .status())
                    .isEqualTo(200);
            assertThat(site.get("/", "Cookie: " + session, "Authorization: " + kept)
                            .status())
                    .isEqualTo(200);
            assertThat(site.redeem(kept)).as("not spent").isEqualTo(200);
            assertThat(site.redeem(kept)).isEqualTo(401);

            assertThat(site.origin.received().get(1).field("Cookie")).isEqualTo("a=b");
            assertThat(site.origin.received().get(1).field("Authorization")).isEqualTo("Bearer theirs");
            assertThat(site.origin.received().get(2).field("Authorization")).isEmpty();
            assertThat(site.origin.received()).noneMatch(r -> r.head().contains("session="));
        }
        assertThatThrownBy(() -> withSessions("", "privacy-pass.session.cookie=a b"))
                .hasStackTraceContaining("session.cookie");
    }

    /** Sends the session from as many networks as there are requests. Returns how many pass. */
    private static int passedFromManyNetworks(MemorySite site, String session, int requests) {
        int passed = 0;
        for (int i = 0; i < requests; i++) {
            RawClient.Response response = site.get("/", "Cookie: " + session, "X-Forwarded-For: 10." + i + ".0.1");
            passed += response.status() == 200 ? 1 : 0;
        }
        return passed;
    }

    @Test
    void aSessionMayHaveARateWhateverItsAddress() {
        String trusted = "listeners.web.trusted-proxies=[127.0.0.0/8]";
        String limit = "rate-limits=[{name: site, rate: 2/h, burst: 1, per: client-address}]";
        try (MemorySite site = withSessions("", trusted, "privacy-pass.session.rate=3/h")) {
            String session = cookie(site.get("/", "Authorization: " + site.token()));
            assertThat(passedFromManyNetworks(site, session, 10)).isEqualTo(3);
        }
        try (MemorySite site = withSessions(", rate-limit: site", trusted, limit)) {
            String session = cookie(site.get("/", "Authorization: " + site.token()));
            assertThat(passedFromManyNetworks(site, session, 10))
                    .as("the rate of the route")
                    .isEqualTo(2);
        }
        try (MemorySite site = withSessions(", rate-limit: site", trusted, limit, "privacy-pass.session.rate=0")) {
            String session = cookie(site.get("/", "Authorization: " + site.token()));
            assertThat(passedFromManyNetworks(site, session, 10)).isEqualTo(10);
        }
    }

    @Test
    void aSessionMayBeBoundToTheNetwork() {
        String trusted = "listeners.web.trusted-proxies=[127.0.0.0/8]";
        try (MemorySite site = withSessions("", trusted)) {
            String session = cookie(site.get("/", "Authorization: " + site.token()));
            assertThat(passedFromManyNetworks(site, session, 5)).isEqualTo(5);
            assertThat(site.get("/", "Cookie: " + session, "User-Agent: other").status())
                    .isEqualTo(401);
        }
        try (MemorySite site = withSessions("", trusted, "privacy-pass.session.bind=[address]")) {
            String session = cookie(site.get("/", "Authorization: " + site.token()));
            assertThat(passedFromManyNetworks(site, session, 5)).isZero();
            assertThat(site.get("/", "Cookie: " + session, "User-Agent: other").status())
                    .isEqualTo(200);
        }
    }

    @Test
    void tokensAndTicketsAreNotForwarded() {
        try (MemorySite site = MemorySite.with()) {
            site.get(
                    "/",
                    "Authorization: PrivateToken token=\"abc\"",
                    "Cookie: a=1; postern-ticket=t; postern-ticket-AAAAAAAA=t");
            site.get("/", "Authorization: Basic dTpw");
            assertThat(site.origin.received().get(0).field("Authorization")).isEmpty();
            assertThat(site.origin.received().get(0).field("Cookie")).isEqualTo("a=1");
            assertThat(site.origin.received().get(1).field("Authorization")).isEqualTo("Basic dTpw");
        }
    }

    @Test
    void sessionsWaitInTheRoomAndSpendOnAdmission() {
        String room =
                "rate-limits=[{name: site, rate: 1/h, burst: 0, fair-queue: {active-sessions: 1, waiting-status: 503}}]";
        try (MemorySite site = withSessions(", rate-limit: site", room)) {
            String first = site.token();
            String second = site.token();
            site.get("/", "Authorization: " + first);
            RawClient.Response holder = site.get("/", "Authorization: " + site.token());
            assertThat(holder.status()).isEqualTo(200);

            RawClient.Response waits = site.get("/", "Authorization: " + second);
            assertThat(waits.status()).isEqualTo(503);
            assertThat(waits.head()).doesNotContain("postern-session");
            assertThat(site.get("/", "Authorization: " + second).status())
                    .as("one ticket per token")
                    .isEqualTo(429);

            String pass = holder.head()
                    .lines()
                    .filter(l -> l.contains("postern-ticket-"))
                    .map(l -> l.substring(l.indexOf("postern-ticket-")).split(";")[0])
                    .findFirst()
                    .orElseThrow();
            assertThat(site.get("/", "Cookie: " + pass + "; " + cookie(holder)).status())
                    .isEqualTo(200);
        }
    }

    @Test
    void reportOnlyPassesAllAndReportsRefusals() throws InterruptedException {
        try (MemorySite site = MemorySite.requiringTokens("privacy-pass.enforcement=report-only")) {
            RawClient.Response none = site.get("/");
            assertThat(none.status()).isEqualTo(200);
            String token = Site.MINT.response(none.field("WWW-Authenticate"));
            assertThat(site.redeem(token)).isEqualTo(200);
            assertThat(site.redeem(token)).isEqualTo(200);
            assertThat(site.redeem("PrivateToken nonsense")).isEqualTo(200);

            assertThat(site.origin.received())
                    .hasSize(4)
                    .allMatch(r -> r.field("Authorization").isEmpty());
            assertThat(site.line()).contains("\"would-refuse\":\"token-required\",\"would-refuse-reason\":\"missing\"");
            assertThat(site.line()).doesNotContain("would-refuse");
            assertThat(site.line()).contains("\"would-refuse-reason\":\"spent\"");
            assertThat(site.line()).contains("\"would-refuse\":\"credentials-malformed\"");
            assertThat(site.metrics())
                    .contains("postern_token_would_refuse_total{code=\"token-required\",reason=\"spent\"} 1.0");
        }
    }
}
