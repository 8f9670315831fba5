package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Rate;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import dev.postern.ratelimit.store.RateLimitRule.Missing;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests limits without a room: the second budget of preflights, and by which value a request is counted. */
class PlainLimitTest {

    private @Nullable AdmissionFixture opened;

    @AfterEach
    void close() {
        if (opened != null) {
            opened.close();
        }
    }

    /** Permits one request an hour for each key. */
    private AdmissionFixture limit(String per, Missing missing) {
        opened = new AdmissionFixture(
                KeyRing.random(),
                new RateLimitRule(
                        "site", Rate.of("1/h"), 0, RateKey.of(per), missing, RateLimitRule.Store.EMBEDDED, null));
        return opened;
    }

    private static AdmissionFixture.Request preflight(AdmissionFixture stage) {
        return stage.request(Method.OPTIONS, "/")
                .with("origin", "https://a.example")
                .with("access-control-request-method", "PUT");
    }

    private static boolean passes(AdmissionFixture.Request request) {
        return request.send().passed();
    }

    @Test
    void preflightsHaveASecondBudgetOfTheSameRate() {
        AdmissionFixture stage = limit("client-address", Missing.SHARE);
        assertThat(passes(preflight(stage))).isTrue();
        assertThat(passes(stage.get("/"))).as("after its preflight").isTrue();
        assertThat(passes(preflight(stage))).isFalse();
        assertThat(passes(stage.get("/"))).isFalse();
    }

    @Test
    void optionsThatAreNoPreflightHaveTheFirstBudget() {
        AdmissionFixture stage = limit("client-address", Missing.SHARE);
        assertThat(passes(stage.request(Method.OPTIONS, "/").with("origin", "https://a.example")))
                .isTrue();
        assertThat(passes(stage.get("/"))).isFalse();
    }

    @Test
    void preflightsThatTheRouteDoesNotForwardHaveTheFirstBudget() {
        AdmissionFixture stage = limit("client-address", Missing.SHARE).refusingPreflights();
        assertThat(passes(preflight(stage))).isTrue();
        assertThat(passes(stage.get("/"))).isFalse();
    }

    @Test
    void preflightsWithoutTheHeaderCountByAddress() {
        AdmissionFixture stage = limit("header:x-api-key", Missing.REFUSE);
        assertThat(passes(preflight(stage))).isTrue();
        assertThat(passes(preflight(stage))).isFalse();
        assertThat(passes(preflight(stage).from("203.0.113.8"))).isTrue();
        assertThat(passes(stage.get("/").with("x-api-key", "a"))).isTrue();
    }

    @Test
    void requestsWithoutTheHeaderShareOneBudget() {
        AdmissionFixture stage = limit("header:x-api-key", Missing.SHARE);
        assertThat(passes(stage.get("/"))).isTrue();
        assertThat(passes(stage.get("/").from("203.0.113.8"))).isFalse();
        assertThat(passes(stage.get("/").with("x-api-key", ""))).isFalse();
        assertThat(passes(stage.get("/").with("x-api-key", "a"))).isTrue();
        assertThat(passes(stage.get("/").with("x-api-key", "b"))).isTrue();
        assertThat(passes(stage.get("/").with("x-api-key", "a"))).isFalse();
    }

    @Test
    void aDoubledHeaderEvadesNoBudget() {
        AdmissionFixture stage = limit("header:x-api-key", Missing.SHARE);
        assertThat(passes(stage.get("/").with("x-api-key", "a"))).isTrue();
        assertThat(passes(stage.get("/").with("x-api-key", "a").with("x-api-key", "1")))
                .isTrue();
        assertThat(passes(stage.get("/").with("x-api-key", "a").with("x-api-key", "2")))
                .isFalse();
        assertThat(passes(stage.get("/").with("x-api-key", "3").with("x-api-key", "a")))
                .isFalse();
    }

    @Test
    void aDoubledCookieEvadesNoBudget() {
        AdmissionFixture stage = limit("cookie:sid", Missing.SHARE);
        assertThat(passes(stage.get("/").cookie("sid=a"))).isTrue();
        assertThat(passes(stage.get("/").cookie("sid=b"))).isTrue();
        assertThat(passes(stage.get("/").cookie("sid=a; sid=1"))).isTrue();
        assertThat(passes(stage.get("/").cookie("sid=a; sid=2"))).isFalse();
        assertThat(passes(stage.get("/").cookie("sid=3").cookie("sid=a"))).isFalse();
        assertThat(passes(stage.get("/"))).isFalse();
    }

    @Test
    void requestsWithoutTheHeaderAreRefusedWhereConfigured() {
        AdmissionFixture stage = limit("header:x-api-key", Missing.REFUSE);
        AdmissionResult refused = stage.get("/").send();
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.exchange().outcome().refusal()).isEqualTo(Refusal.RATE_KEY_MISSING);
        assertThat(stage.get("/")
                        .with("x-api-key", "a")
                        .with("x-api-key", "b")
                        .send()
                        .status())
                .isEqualTo(400);
        assertThat(passes(stage.get("/").with("x-api-key", "a"))).isTrue();
    }

    @Test
    void missingHasNoMeaningForOtherKeys() {
        AdmissionFixture stage = limit("client-address", Missing.REFUSE);
        assertThat(passes(stage.get("/"))).isTrue();
    }

    @Test
    void randomValuesOfOneClientDoNotFillTheStore() {
        AdmissionFixture stage = limit("header:x-api-key", Missing.SHARE);
        assertThat(passes(stage.get("/").from("198.51.100.9").with("x-api-key", "honest")))
                .isTrue();
        int passed = 0;
        for (int i = 0; i < 10_000; i++) {
            passed += passes(stage.get("/").with("x-api-key", "random" + i)) ? 1 : 0;
        }
        assertThat(passed).isEqualTo(4_097); // one key each, then one for the address
        assertThat(passes(stage.get("/").from("198.51.100.9").with("x-api-key", "other")))
                .isTrue();
        assertThat(passes(stage.get("/").from("198.51.100.9").with("x-api-key", "honest")))
                .isFalse();
    }

    @Test
    void clientsOfATranslatorAreNotOneClient() {
        AdmissionFixture stage = limit("client-address", Missing.SHARE);
        assertThat(passes(stage.get("/").from("64:ff9b::198.51.100.1"))).isTrue();
        assertThat(passes(stage.get("/").from("64:ff9b::198.51.100.2"))).isTrue();
        assertThat(passes(stage.get("/").from("198.51.100.2"))).isFalse();
    }
}
