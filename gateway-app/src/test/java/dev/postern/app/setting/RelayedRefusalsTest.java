package dev.postern.app.setting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests how refusals reach clients through another proxy: as they are, below 500 for Envoy, and sealed for nginx. */
class RelayedRefusalsTest {

    private static final String URL = "https://gateway.example/page?q=1";
    private static final String NAVIGATE = "Sec-Fetch-Mode: navigate";
    private static final String PAGE = "Accept: text/html";
    private static final String ROUTE = "routes=[{upstream: none, token: off, rate-limit: site}]";
    private static final String ROOM =
            "rate-limits=[{name: site, rate: 1/h, burst: 0, per: route, fair-queue: {active-sessions: 1}}]";
    private static final String LIMIT = "rate-limits=[{name: site, rate: 1/h, burst: 0, per: route}]";

    /** Fills the room: the only request of the base rate, and the only session. */
    private static void fill(Asking proxy, MemorySite site) {
        assertThat(proxy.ask(site, URL, NAVIGATE).status()).isEqualTo(200);
        assertThat(proxy.ask(site, URL, NAVIGATE).field("Postern-Admission")).isEqualTo("pass");
    }

    private static RawClient.Response render(MemorySite site, String sealed, String... fields) {
        return Asking.send(
                site,
                Asking.PROXY,
                "GET /.postern/refusal HTTP/1.1\r\nHost: gateway\r\nPostern-Refusal: " + sealed + "\r\n"
                        + String.join("\r\n", Asking.NGINX.describe("GET", URL)) + "\r\n" + Asking.CLIENT + "\r\n"
                        + String.join("\r\n", fields) + (fields.length == 0 ? "\r\n" : "\r\n\r\n"));
    }

    /** Returns the refusal as the client of the proxy sees it. */
    private static RawClient.Response refused(Asking proxy, MemorySite site, String... fields) {
        RawClient.Response answer = proxy.ask(site, URL, fields);
        if (proxy != Asking.NGINX) {
            return answer;
        }
        assertThat(answer.status()).isIn(401, 403);
        assertThat(answer.body()).isEmpty();
        assertThat(answer.field("Set-Cookie")).isEmpty();
        String sealed = answer.field("Postern-Refusal");
        assertThat(sealed).hasSizeBetween(20, 2047);
        return render(site, sealed, fields);
    }

    @ParameterizedTest
    @EnumSource
    void clientsSeeTheWaitingPage(Asking proxy) {
        try (MemorySite site = proxy.site(ROUTE, ROOM)) {
            fill(proxy, site);
            RawClient.Response page = refused(proxy, site, NAVIGATE, PAGE, "Accept-Language: de");

            assertThat(page.status()).isEqualTo(proxy == Asking.ENVOY ? 429 : 503);
            assertThat(page.field("Content-Type")).startsWith("text/html");
            assertThat(page.field("Content-Language")).isEqualTo("de");
            assertThat(page.field("Postern-Queue-Position")).isEqualTo("1");
            assertThat(page.field("Retry-After")).isNotEmpty();
            assertThat(page.field("Set-Cookie")).startsWith("__Host-postern-ticket-");
            assertThat(page.field("Cache-Control")).isEqualTo("no-store");
            assertThat(page.body()).contains("/.postern/room/", "./page?q=1", page.field("X-Request-ID"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void programsSeeThePositionAsJson(Asking proxy) {
        try (MemorySite site = proxy.site(ROUTE, ROOM)) {
            fill(proxy, site);
            RawClient.Response json = refused(proxy, site, "Accept: application/json");
            assertThat(json.field("Content-Type")).isEqualTo("application/json");
            assertThat(json.body()).contains("\"state\":\"waiting\",\"position\":1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void limitsAre429(Asking proxy) {
        try (MemorySite site = proxy.site(ROUTE, LIMIT)) {
            assertThat(proxy.ask(site, URL).status()).isEqualTo(200);
            RawClient.Response refused = refused(proxy, site);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.field("RateLimit")).contains("site");
            assertThat(refused.field("RateLimit-Policy")).contains("site");
            assertThat(refused.field("Retry-After")).isNotEmpty();
            assertThat(refused.body()).contains("\"code\":\"rate-limited\"", refused.field("X-Request-ID"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void redirectsLeadElsewhere(Asking proxy) {
        try (MemorySite site = proxy.site(
                "routes=[{upstream: none, token: off, redirect: {to: \"https://new.example{path}{query}\"}}]")) {
            RawClient.Response refused = refused(proxy, site);
            assertThat(refused.status()).isEqualTo(307);
            assertThat(refused.field("Location")).isEqualTo("https://new.example/page?q=1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void challengesAreRelayed(Asking proxy) {
        try (MemorySite site = proxy.site("routes=[{upstream: none}]", Site.issuer())) {
            RawClient.Response page = refused(proxy, site, PAGE);
            assertThat(page.status()).isEqualTo(401);
            assertThat(page.field("WWW-Authenticate")).startsWith("PrivateToken challenge=");
            assertThat(page.body()).contains("<html");
        }
    }

    /** nginx before 1.23 relays one line. */
    @Test
    void nginxGetsAllChallengesInOneLine() {
        try (MemorySite site = Asking.NGINX.site(
                "routes=[{upstream: none}]",
                "privacy-pass.issuers=[{name: one.example, public-keys: [\"" + Site.MINT.publicKey()
                        + "\"]}, {name: two.example, public-keys: [\"" + Site.MINT.publicKey() + "\"]}]")) {
            List<String> lines = Asking.NGINX.ask(site, URL).fields("WWW-Authenticate");
            assertThat(lines).singleElement().asString().matches("PrivateToken .*, PrivateToken .*");
        }
    }

    @Test
    void nginxGetsOneCookieAndASecondOneByAnotherName() {
        try (MemorySite site =
                Asking.NGINX.site("routes=[{upstream: none, token: session, rate-limit: site}]", ROOM, Site.issuer())) {
            String challenge = Asking.NGINX.ask(site, URL, NAVIGATE).field("WWW-Authenticate");
            String token = "Authorization: " + Site.MINT.response(challenge);
            RawClient.Response allowed = Asking.NGINX.ask(site, URL, NAVIGATE, token);

            assertThat(allowed.status()).isEqualTo(200);
            assertThat(allowed.fields("Set-Cookie")).hasSize(1);
            assertThat(allowed.fields("Postern-Set-Cookie")).hasSize(1);
            assertThat(allowed.field("Set-Cookie") + allowed.field("Postern-Set-Cookie"))
                    .contains("postern-session=", "postern-ticket-");
        }
    }

    @Test
    void theRefusalHasTheIdOfTheQuestion() {
        try (MemorySite site = Asking.NGINX.site(ROUTE, LIMIT)) {
            Asking.NGINX.ask(site, URL);
            RawClient.Response answer = Asking.NGINX.ask(site, URL);
            assertThat(render(site, answer.field("Postern-Refusal")).field("X-Request-ID"))
                    .isEqualTo(answer.field("X-Request-ID"));
        }
    }

    @Test
    void renderingDecidesNothing() {
        try (MemorySite site = Asking.NGINX.site(ROUTE, ROOM)) {
            fill(Asking.NGINX, site);
            String sealed = Asking.NGINX.ask(site, URL, NAVIGATE).field("Postern-Refusal");
            for (int i = 0; i < 3; i++) {
                assertThat(render(site, sealed).field("Postern-Queue-Position")).isEqualTo("1");
            }
            assertThat(site.meter("postern_refusals_total{blame=\"client\",code=\"waiting\""))
                    .isEqualTo(1);
            RawClient.Response second = refused(Asking.NGINX, site, NAVIGATE);
            assertThat(second.field("Postern-Queue-Position")).isEqualTo("2");
        }
    }

    @Test
    void changedForeignAndStaleRefusalsAre400WithoutReflection() {
        try (MemorySite site = Asking.NGINX.site(ROUTE, LIMIT)) {
            Asking.NGINX.ask(site, URL);
            String sealed = Asking.NGINX.ask(site, URL).field("Postern-Refusal");
            char last = sealed.charAt(sealed.length() - 2) == 'A' ? 'B' : 'A';
            String changed = sealed.substring(0, sealed.length() - 2) + last + sealed.charAt(sealed.length() - 1);
            for (String wrong : List.of(changed, "", "<script>", sealed + "\r\nPostern-Refusal: " + sealed)) {
                RawClient.Response response = render(site, wrong);
                assertThat(response.status()).as(wrong).isEqualTo(400);
                assertThat(response.body()).doesNotContain("script>", sealed);
            }
            assertThat(render(site, sealed).status()).isEqualTo(429);
            site.pass(Duration.ofSeconds(61));
            assertThat(render(site, sealed).status()).isEqualTo(400);
        }
    }

    @Test
    void refusalsAreRenderedForTrustedProxiesAndNginxAlone() {
        try (MemorySite site = Asking.NGINX.site(ROUTE, LIMIT)) {
            Asking.NGINX.ask(site, URL);
            String sealed = Asking.NGINX.ask(site, URL).field("Postern-Refusal");
            String request = "GET /.postern/refusal HTTP/1.1\r\nHost: g\r\nPostern-Refusal: " + sealed + "\r\n\r\n";
            assertThat(Asking.send(site, Asking.STRANGER, request).status()).isEqualTo(403);
            assertThat(Asking.send(site, Asking.PROXY, request).status()).isEqualTo(429);
        }
        try (MemorySite site = Asking.FORWARDED.site(ROUTE, LIMIT)) {
            String request = "GET /.postern/refusal HTTP/1.1\r\nHost: g\r\n\r\n";
            assertThat(Asking.send(site, Asking.PROXY, request).status()).isGreaterThan(399);
        }
    }

    /** The waiting page polls through the proxy, which forwards its requests to the listener. */
    @ParameterizedTest
    @EnumSource
    void pollsOfTheWaitingPageGetThePosition(Asking proxy) {
        try (MemorySite site = proxy.site(ROUTE, ROOM)) {
            fill(proxy, site);
            RawClient.Response page = refused(proxy, site, NAVIGATE, PAGE);
            String path = page.body().replaceAll("(?s).*?(/\\.postern/room/[^\"&<]+).*", "$1");
            String cookie = "Cookie: " + page.field("Set-Cookie").split(";", 2)[0];

            String head = "GET " + path + " HTTP/1.1\r\nHost: gateway.example\r\n";
            String described = String.join("\r\n", proxy.describe("GET", "https://gateway.example" + path)) + "\r\n";
            RawClient.Response poll =
                    Asking.send(site, Asking.PROXY, head + described + Asking.CLIENT + "\r\n" + cookie + "\r\n\r\n");

            assertThat(poll.status()).isEqualTo(200);
            assertThat(poll.body()).contains("\"state\":\"waiting\",\"position\":1");
            assertThat(poll.field("Postern-Admission")).isEmpty();
            assertThat(Asking.send(site, Asking.PROXY, head + "\r\n").status())
                    .as("without a client")
                    .isEqualTo(400);
            assertThat(Asking.send(site, Asking.STRANGER, head + described + cookie + "\r\n\r\n")
                            .status())
                    .isEqualTo(403);
        }
    }

    /** The waiting page asks for its own address by HEAD, and looks for this position in the response. */
    @ParameterizedTest
    @EnumSource
    void thePermissionOfTheWaitingPageHasPositionZero(Asking proxy) {
        try (MemorySite site = proxy.site(ROUTE, ROOM)) {
            proxy.ask(site, URL, NAVIGATE);
            RawClient.Response admitted = proxy.ask(site, URL, NAVIGATE);
            assertThat(admitted.field("Postern-Admission")).isEqualTo("pass");
            assertThat(admitted.field("Postern-Queue-Position")).isEmpty();
            String pass = "Cookie: " + admitted.field("Set-Cookie").split(";", 2)[0];

            RawClient.Response look = proxy.askBy("HEAD", site, URL, pass, "Sec-Purpose: prefetch");
            assertThat(look.status()).isEqualTo(200);
            assertThat(look.field("Postern-Queue-Position")).isEqualTo("0");
        }
    }
}
