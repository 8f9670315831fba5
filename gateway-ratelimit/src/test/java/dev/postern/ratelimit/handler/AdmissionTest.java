package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Rate;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.Credential;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import dev.postern.ratelimit.store.RoomState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionTest {

    private AdmissionFixture stage = AdmissionFixture.room();

    @AfterEach
    void close() {
        stage.close();
    }

    @Test
    void passesWithinRateAndRemembersThePage() {
        AdmissionResult page = stage.get("/").send();
        assertThat(page.passed()).isTrue();
        assertThat(page.field("set-cookie"))
                .startsWith("postern-ticket-")
                .contains("HttpOnly", "SameSite=Lax", "Path=/");
        assertThat(page.field("cache-control")).isEqualTo("no-store");
        for (int i = 0; i < 30; i++) {
            AdmissionResult part = stage.get("/" + i + ".css")
                    .with("sec-fetch-mode", "no-cors")
                    .cookie(page.cookie())
                    .send();
            assertThat(part.passed()).isTrue();
        }
    }

    @Test
    void usesPrefixedCookieOnTls() {
        AdmissionResult page = stage.get("/").secure().send();
        assertThat(page.field("set-cookie"))
                .startsWith("__Host-postern-ticket-")
                .contains("; Secure", "; Path=/;");
    }

    @Test
    void usesPrefixedCookieWhereATrustedProxyReportsTls() {
        assertThat(stage.get("/").scheme("https").send().field("set-cookie"))
                .startsWith("__Host-postern-ticket-")
                .contains("; Secure", "; Path=/;");
        assertThat(stage.get("/").secure().scheme("http").send().field("set-cookie"))
                .startsWith("postern-ticket-")
                .doesNotContain("Secure");
    }

    @Test
    void findsTheTicketByTheNameUnderWhichItWasSet() {
        stage.fill();
        AdmissionResult first = stage.get("/").scheme("https").send();
        assertThat(first.field("postern-queue-position")).isEqualTo("1");
        String cookie = first.cookie();
        String plain = cookie.substring("__Host-".length());

        AdmissionResult again = stage.get("/").scheme("https").cookie(cookie).send();
        assertThat(again.field("postern-queue-position")).isEqualTo("1");
        assertThat(again.cookie()).startsWith("__Host-postern-ticket-");
        AdmissionResult poll =
                stage.get("/.postern/room/site").scheme("https").cookie(cookie).poll();
        assertThat(poll.body()).startsWith("{\"state\":\"waiting\",\"position\":1,");
        assertThat(poll.cookie()).as("of a poll too").startsWith("__Host-postern-ticket-");
        assertThat(stage.get("/").scheme("https").cookie(plain).send().field("postern-queue-position"))
                .as("a name that another host could set")
                .isEqualTo("2");
        assertThat(stage.get("/").scheme("http").cookie(cookie).send().field("postern-queue-position"))
                .isEqualTo("3");
    }

    @Test
    void admitsThenLetsOtherClientsWait() {
        stage.fill();
        AdmissionResult waiting = stage.get("/").with("accept", "text/html").send();
        assertThat(waiting.passed()).isFalse();
        assertThat(waiting.status()).isEqualTo(503);
        assertThat(waiting.exchange().outcome().refusal()).isEqualTo(Refusal.WAITING);
        assertThat(waiting.field("postern-queue-position")).isEqualTo("1");
        assertThat(waiting.field("retry-after")).isNotEmpty();
        assertThat(waiting.field("cache-control")).isEqualTo("no-store");
        assertThat(waiting.body()).contains("<html lang=\"en\" dir=\"ltr\">").contains("/.postern/room/site");
        AdmissionResult json = stage.get("/").with("accept", "application/json").send();
        assertThat(json.body()).startsWith("{\"state\":\"waiting\",\"position\":2,");
    }

    @Test
    void keepsPositionByCookieAndAdmitsInTurn() {
        stage.fill();
        AdmissionResult first = stage.get("/").send();
        AdmissionResult second = stage.get("/").send();
        advanceKeeping(first, second);
        assertThat(stage.get("/").cookie(second.cookie()).send().passed()).isTrue();
        AdmissionResult admitted = stage.get("/").cookie(first.cookie()).send();
        assertThat(admitted.passed()).isTrue();
        assertThat(stage.get("/a.css")
                        .with("sec-fetch-mode", "cors")
                        .cookie(admitted.cookie())
                        .send()
                        .passed())
                .isTrue();
    }

    @Test
    void pollReturnsPositionThenAdmission() {
        stage.fill();
        AdmissionResult first = stage.get("/").send();
        AdmissionResult poll =
                stage.get("/.postern/room/site").cookie(first.cookie()).poll();
        assertThat(poll.status()).isEqualTo(200);
        assertThat(poll.body()).startsWith("{\"state\":\"waiting\",\"position\":1,");
        advanceKeeping(first);
        assertThat(stage.get("/.postern/room/site")
                        .cookie(first.cookie())
                        .poll()
                        .body())
                .startsWith("{\"state\":\"admitted\"");
        assertThat(stage.get("/").cookie(first.cookie()).send().passed()).isTrue();
    }

    @Test
    void pollWithoutAValidTicketHasLapsedAndOneWithoutACookieIsTold() {
        assertThat(stage.get("/.postern/room/site").poll().body()).startsWith("{\"state\":\"no-cookie\"");
        for (String other : List.of(
                "came-from=postern-ticket-page",
                "x-postern-ticket-12345678=v",
                "postern-tickets=v",
                "other=1; postern-ticket=x")) {
            assertThat(stage.get("/.postern/room/site").cookie(other).poll().body())
                    .as(other)
                    .startsWith("{\"state\":\"no-cookie\"");
        }
        assertThat(stage.get("/.postern/room/site")
                        .cookie("other=1; postern-ticket-12345678=invalid")
                        .poll()
                        .body())
                .startsWith("{\"state\":\"lapsed\"");
        assertThat(stage.get("/.postern/room/other").poll().status()).isEqualTo(404);
    }

    @Test
    void onlyPagesTakeTickets() {
        stage.fill();
        assertThat(stage.get("/a.css").with("sec-fetch-mode", "no-cors").send().status())
                .isEqualTo(429);
        assertThat(stage.get("/api").with("sec-fetch-mode", "cors").send().status())
                .isEqualTo(429);
        assertThat(stage.request(Method.POST, "/buy").send().status()).isEqualTo(429);
        assertThat(stage.request(Method.OPTIONS, "/").send().status()).isEqualTo(429);
        assertThat(waiting()).isZero();
        assertThat(stage.request(Method.HEAD, "/").send().status()).isEqualTo(503);
        assertThat(stage.get("/").with("sec-fetch-mode", "navigate").send().status())
                .isEqualTo(503);
        assertThat(waiting()).isEqualTo(2);
    }

    @Test
    void unsafeRequestWithCookieKeepsItsPosition() {
        stage.fill();
        AdmissionResult page = stage.get("/").send();
        AdmissionResult post =
                stage.request(Method.POST, "/buy").cookie(page.cookie()).send();
        assertThat(post.status()).isEqualTo(503);
        assertThat(post.field("postern-queue-position")).isEqualTo("1");
    }

    @Test
    void preflightSkipsRoomButNotRate() {
        stage.fill();
        stage.get("/").send();
        AdmissionFixture.Request preflight = stage.request(Method.OPTIONS, "/api")
                .with("origin", "https://other.example")
                .with("access-control-request-method", "PUT");
        assertThat(preflight.send().passed()).isTrue();
        assertThat(preflight.send().status()).isEqualTo(429);
    }

    @Test
    void bypassesByAddressAndPath() {
        stage.fill();
        stage.get("/").send();
        assertThat(stage.get("/").from("192.0.2.9").send().passed()).isTrue();
        assertThat(stage.get("/health/live").send().passed()).isTrue();
        assertThat(stage.get("/healthy").send().passed()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "/health/a%2Fb, true",
        "/health/a;v=1, true",
        "/health//live, true",
        "/health/./live, true",
        "/%68ealth/live, false",
        "//health/live, false",
        "/./health/live, false",
        "/x/../health/live, false",
        "/health/../shop, false",
        "/health//../shop, false",
        "/health/%252e%252e/shop, false",
        "/health;x/live, false",
        "/health%2Flive, false",
        "/health/..%3Fx, false"
    })
    void bypassesByPathOnlyWhereEveryReadingIsCovered(String path, boolean bypasses) {
        stage.fill();
        stage.get("/").send();
        AdmissionResult result = stage.get(path).send();
        assertThat(result.passed()).isEqualTo(bypasses);
        if (!bypasses) {
            assertThat(result.status()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shop//health", "/shop/a%2Fb;v=1", "/shop/x/../health", "/healthy/./x"})
    void waitsWhereNoReadingOfThePathIsCovered(String path) {
        stage.fill();
        stage.get("/").send();
        assertThat(stage.get(path).send().status()).isNotIn(200, 400);
    }

    @Test
    void acceptsTheLapsedTokenThatOpenedTheTicket() {
        stage.fill();
        AdmissionResult first =
                stage.get("/").credential(new Credential(new byte[16], false)).send();
        advanceKeeping(first);
        Credential lapsed = new Credential(new byte[16], true);
        assertThat(stage.get("/")
                        .cookie(first.cookie())
                        .credential(lapsed)
                        .send()
                        .passed())
                .isTrue();
        assertThat(lapsed.acceptable()).isTrue();
        byte[] other = new byte[16];
        other[0] = 1;
        Credential foreign = new Credential(other, true);
        stage.get("/").cookie(first.cookie()).credential(foreign).send();
        assertThat(foreign.acceptable()).isFalse();
    }

    @Test
    void forwardListenerUsesTokenAsTicket() {
        Credential one = new Credential(new byte[16], false);
        byte[] other = new byte[16];
        other[3] = 9;
        stage.get("/").forward().from("198.51.100.1").send().passed();
        assertThat(stage.request(Method.CONNECT, "")
                        .forward()
                        .credential(one)
                        .send()
                        .passed())
                .isTrue();
        stage.get("/").forward().from("198.51.100.2").send().passed();
        AdmissionResult waiting = stage.request(Method.CONNECT, "")
                .forward()
                .credential(new Credential(other, false))
                .send();
        assertThat(waiting.status()).isEqualTo(503);
        assertThat(waiting.field("set-cookie")).isEmpty();
        assertThat(waiting.field("content-type")).isEqualTo("application/problem+json");
        assertThat(waiting.field("postern-queue-position")).isEqualTo("1");
    }

    @Test
    void plainLimitResponses429WithFields() {
        stage.close();
        stage = new AdmissionFixture(
                KeyRing.random(),
                new RateLimitRule(
                        "api", Rate.of("60/m"), 1, RateKey.CLIENT_ADDRESS, RateLimitRule.Store.EMBEDDED, null));
        assertThat(stage.get("/").limit("api").send().passed()).isTrue();
        assertThat(stage.get("/").limit("api").send().passed()).isTrue();
        AdmissionResult over = stage.get("/").limit("api").send();
        assertThat(over.status()).isEqualTo(429);
        assertThat(over.field("retry-after")).isIn("1", "2");
        assertThat(over.field("ratelimit-policy")).isEqualTo("\"api\";q=60;w=60");
        assertThat(over.field("ratelimit")).isEqualTo("\"api\";r=0;t=1");
        assertThat(stage.get("/").limit("api").from("203.0.113.8").send().passed())
                .isTrue();
        stage.advance(Duration.ofSeconds(1));
        assertThat(stage.get("/").limit("api").send().passed()).isTrue();
    }

    @Test
    void countsIpv6ClientsBy64Bits() {
        stage.close();
        stage = new AdmissionFixture(
                KeyRing.random(),
                new RateLimitRule(
                        "api", Rate.of("1/s"), 0, RateKey.CLIENT_ADDRESS, RateLimitRule.Store.EMBEDDED, null));
        assertThat(stage.get("/").limit("api").from("2001:db8:1:2::1").send().passed())
                .isTrue();
        assertThat(stage.get("/")
                        .limit("api")
                        .from("2001:db8:1:2:ffff::9")
                        .send()
                        .passed())
                .isFalse();
        assertThat(stage.get("/").limit("api").from("2001:db8:1:3::1").send().passed())
                .isTrue();
    }

    @Test
    void countsDecisions() {
        stage.fill();
        stage.get("/").send();
        assertThat(stage.registry
                        .get("postern.room.decisions")
                        .tags("limit", "site", "decision", "waiting")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(stage.registry
                        .get("postern.room.active")
                        .tag("room", "site")
                        .gauge()
                        .value())
                .isEqualTo(2);
    }

    /** Advances the clock until the passes have lapsed, while the given clients keep polling. */
    private void advanceKeeping(AdmissionResult... waiting) {
        for (int i = 0; i < 5; i++) {
            stage.advance(Duration.ofSeconds(13));
            for (AdmissionResult seen : waiting) {
                if (i < 4) {
                    stage.get("/.postern/room/site").cookie(seen.cookie()).poll();
                }
            }
        }
    }

    private long waiting() {
        return stage.limits.state().stream().mapToLong(RoomState::waiting).sum();
    }
}
