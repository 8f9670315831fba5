package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.testing.LeakExtension;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import dev.postern.ratelimit.store.RoomState;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that requests for later take no budget, place and slot. Two may use the site; the rate is 1/s. */
@ExtendWith(LeakExtension.class)
class PrefetchTest {

    private static final String BOT = "Twitterbot/1.0";

    private final AdmissionFixture stage = AdmissionFixture.room();

    @AfterEach
    void close() {
        stage.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"prefetch", "prefetch;prerender", "prefetch;anonymous-client-ip"})
    void takesNoBudgetFromPeople(String purpose) {
        AdmissionResult prefetch = prefetch("", purpose);

        assertThat(prefetch.passed()).isFalse();
        assertThat(prefetch.status()).isEqualTo(503);
        assertThat(prefetch.exchange().outcome().refusal()).isEqualTo(Refusal.NO_PLACE);
        assertThat(prefetch.field("retry-after")).isNotEmpty();
        assertThat(prefetch.field("cache-control")).isEqualTo("no-store");
        assertThat(prefetch.field("postern-queue-position")).isEqualTo("0");
        assertThat(prefetch.cookie()).isEmpty();
        assertThat(navigate("").passed()).as("the one request of the second").isTrue();
    }

    /** By this the waiting page tells the site, and the room, from other systems in front. */
    @ParameterizedTest
    @CsvSource({
        "HEAD, prefetch, 200, 0",
        "HEAD, prefetch, 404, 0",
        "HEAD, prefetch, 302, 0",
        "HEAD, prefetch, 429, ''",
        "HEAD, prefetch, 502, ''",
        "HEAD, none, 200, ''",
        "GET, prefetch, 200, ''"
    })
    void marksTheSitesResponseToTheQuestionOfTheWaitingPage(String method, String purpose, int status, String mark) {
        for (String limit : new String[] {"", "site"}) {
            ResponseHead head = new ResponseHead().status(status);
            AdmissionResult asked = stage.request(Method.of(method), "/health")
                    .limit(limit.isEmpty() ? null : limit)
                    .with("x-purpose", purpose)
                    .send();
            assertThat(asked.passed())
                    .as("a route without a room, and a bypass")
                    .isTrue();
            asked.exchange().upstreamResponded(head);
            assertThat(head.joined(FieldName.of("postern-queue-position"))).isEqualTo(mark.isEmpty() ? null : mark);
        }
    }

    @Test
    void takesNoSlotAndNoPlace() {
        navigate("").passed();
        for (int i = 0; i < 5; i++) {
            assertThat(prefetch("", "prefetch").status()).isEqualTo(503);
        }
        assertThat(stage.limits.state()).allSatisfy(room -> {
            assertThat(room.active()).isZero();
            assertThat(room.waiting()).isZero();
        });
        fill();
        assertThat(prefetch("", "prefetch").status()).isEqualTo(503);
        assertThat(waiting()).isZero();
    }

    @Test
    void usesNoPartOfALease() {
        AdmissionResult page = navigate("");
        assertThat(page.passed()).isTrue();
        assertThat(prefetch(page.cookie(), "prefetch").passed()).isFalse();
        assertThat(stage.get("/a.css")
                        .with("sec-fetch-mode", "no-cors")
                        .cookie(page.cookie())
                        .send()
                        .passed())
                .isTrue();
    }

    @Test
    void aWaitingClientIsNotAdmittedByAPrefetch() {
        fill();
        AdmissionResult waiting = navigate("");
        assertThat(waiting.field("postern-queue-position")).isEqualTo("1");
        for (int i = 0; i < 4; i++) {
            stage.advance(Duration.ofSeconds(13));
            stage.get("/.postern/room/site").cookie(waiting.cookie()).poll();
        }
        stage.advance(Duration.ofSeconds(13)); // now both passes have ended

        AdmissionResult prefetch = prefetch(waiting.cookie(), "prefetch");
        assertThat(prefetch.passed()).isFalse();
        assertThat(prefetch.exchange().outcome().refusal()).isEqualTo(Refusal.NO_PLACE);
        assertThat(navigate(waiting.cookie()).passed())
                .as("the navigation itself")
                .isTrue();
    }

    @Test
    void aPrefetchIsNoSignOfAWaitingClient() {
        fill();
        AdmissionResult waiting = navigate("");
        for (int i = 0; i < 25; i++) {
            prefetch(waiting.cookie(), "prefetch");
            stage.advance(Duration.ofSeconds(1));
        }
        assertThat(waiting()).as("present clients").isZero();
    }

    @Test
    void passesWithThePassOfItsSession() {
        AdmissionResult admitted = fill();

        assertThat(prefetch(admitted.cookie(), "prefetch;prerender").passed()).isTrue();
    }

    @Test
    void linkFetchersGetNoPlaceAndNoCookie() {
        AdmissionResult free = stage.get("/")
                .with("user-agent", BOT)
                .with("accept", "text/html")
                .send();
        assertThat(free.passed()).as("while no client waits").isTrue();
        assertThat(free.cookie()).isEmpty();
        fill();

        AdmissionResult refused = stage.get("/")
                .with("user-agent", BOT)
                .with("accept", "text/html")
                .send();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.exchange().outcome().refusal()).isEqualTo(Refusal.NO_PLACE);
        assertThat(refused.field("retry-after")).isNotEmpty();
        assertThat(refused.cookie()).isEmpty();
        assertThat(waiting()).isZero();
    }

    @Test
    void aFrameOfAnotherSiteGetsAPageWithoutAPlace() {
        fill();
        AdmissionResult framed = stage.get("/")
                .with("accept", "text/html")
                .with("sec-fetch-mode", "navigate")
                .with("sec-fetch-dest", "iframe")
                .with("sec-fetch-site", "cross-site")
                .send();

        assertThat(framed.status()).isEqualTo(503);
        assertThat(framed.exchange().outcome().refusal()).isEqualTo(Refusal.NO_PLACE);
        assertThat(framed.body()).contains("data-state=\"stopped\"", "Open the site");
        assertThat(framed.field("retry-after")).isNotEmpty();
        assertThat(framed.cookie()).isEmpty();
        assertThat(waiting()).isZero();
    }

    /** Uses the rate and both slots; returns the response to the last of the admitted. */
    private AdmissionResult fill() {
        stage.advance(Duration.ofSeconds(10));
        AdmissionResult last = navigate("");
        for (int i = 0; i < 2; i++) {
            last.exchange().end();
            last = navigate("");
        }
        last.exchange().end();
        assertThat(last.passed()).isTrue();
        return last;
    }

    private AdmissionResult navigate(String cookie) {
        return stage.get("/")
                .with("sec-fetch-mode", "navigate")
                .with("sec-fetch-dest", "document")
                .cookie(cookie)
                .send();
    }

    private AdmissionResult prefetch(String cookie, String purpose) {
        return stage.get("/")
                .with("sec-fetch-mode", "navigate")
                .with("sec-fetch-dest", "document")
                .with("sec-purpose", purpose)
                .cookie(cookie)
                .send();
    }

    private long waiting() {
        return stage.limits.state().stream().mapToLong(RoomState::waiting).sum();
    }
}
