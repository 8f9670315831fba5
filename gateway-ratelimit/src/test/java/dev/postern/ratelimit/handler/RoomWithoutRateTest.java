package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Rate;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.http.Method;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import dev.postern.ratelimit.store.FairQueueSettings.RoomPer;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the stage with a room of two sessions and without a rate. */
class RoomWithoutRateTest {

    private static AdmissionFixture room(String perSession) {
        return new AdmissionFixture(
                KeyRing.random(),
                new RateLimitRule(
                        "site",
                        null,
                        10,
                        RateKey.HOST,
                        RateLimitRule.Store.EMBEDDED,
                        AdmissionFixture.fairQueue(RoomPer.RULE, 2, Rate.of(perSession), AdmissionFixture.NO_TENANTS)));
    }

    @Test
    void opensUntilTheBoundIsReached() {
        try (AdmissionFixture room = room("0")) {
            AdmissionResult first = room.get("/").send();
            assertThat(first.passed()).isTrue();
            assertThat(first.cookie()).as("a session").isNotEmpty();
            assertThat(room.get("/").send().passed()).isTrue();
            AdmissionResult third = room.get("/").send();
            assertThat(third.status()).isEqualTo(503);
            assertThat(third.field("postern-queue-position")).isEqualTo("1");
            assertThat(room.get("/part").cookie(first.cookie()).send().passed()).isTrue();
            room.advance(Duration.ofMinutes(11)); // the open exchanges keep their passes to the hard end
            assertThat(room.get("/").cookie(third.cookie()).send().passed()).isTrue();
        }
    }

    @Test
    void aRefusalNamesNoRate() {
        try (AdmissionFixture room = room("0")) {
            AdmissionResult refused = room.request(Method.POST, "/").send();
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.field("retry-after")).isNotEmpty();
            assertThat(refused.field("ratelimit-policy")).isEmpty();
            assertThat(refused.field("ratelimit")).isEmpty();
        }
    }

    @Test
    void preflightsHaveTheRateOfAllSessions() {
        try (AdmissionFixture room = room("1/h")) {
            assertThat(preflight(room).passed()).isTrue();
            assertThat(preflight(room).passed()).isTrue();
            assertThat(preflight(room).status()).isEqualTo(429);
        }
        try (AdmissionFixture room = room("0")) {
            for (int i = 0; i < 10; i++) {
                assertThat(preflight(room).passed()).isTrue();
            }
        }
    }

    private static AdmissionResult preflight(AdmissionFixture room) {
        return room.request(Method.OPTIONS, "/")
                .with("origin", "https://other.example")
                .with("access-control-request-method", "PUT")
                .send();
    }
}
