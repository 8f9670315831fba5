package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Rate;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.Credential;
import dev.postern.core.http.Refusal;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import dev.postern.ratelimit.handler.AdmissionFixture.Request;
import dev.postern.ratelimit.store.FairQueueSettings.RoomPer;
import dev.postern.ratelimit.store.RateKey;
import dev.postern.ratelimit.store.RateLimitRule;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the budget of sessions that a token bought, whose clients send from many addresses. */
class SessionBudgetTest {

    private AdmissionFixture stage = new AdmissionFixture(KeyRing.random(), limit("api", RateKey.CLIENT_ADDRESS));

    @AfterEach
    void close() {
        stage.close();
    }

    private static RateLimitRule limit(String name, RateKey per) {
        return new RateLimitRule(name, Rate.of("60/m"), 4, per, RateLimitRule.Store.EMBEDDED, null);
    }

    private static Credential session(int id, @Nullable Rate rate) {
        byte[] bytes = new byte[16];
        bytes[0] = (byte) id;
        return Credential.of(bytes, new Credential.Session(rate));
    }

    /** Sends a request from each of a number of networks. Returns how many passed. */
    private int passed(int networks, @Nullable String limit, Credential credential) {
        int passed = 0;
        for (int i = 0; i < networks; i++) {
            Request request =
                    stage.get("/").limit(limit).from("10." + i + ".0.1").credential(credential);
            passed += request.send().passed() ? 1 : 0;
        }
        return passed;
    }

    @Test
    void sessionHasTheRateOfTheRouteWhateverItsAddress() {
        assertThat(passed(20, "api", session(1, null))).isEqualTo(5);
        AdmissionResult over = stage.get("/")
                .limit("api")
                .from("192.0.3.1")
                .credential(session(1, null))
                .send();
        assertThat(over.status()).isEqualTo(429);
        assertThat(over.exchange().outcome().refusal()).isEqualTo(Refusal.RATE_LIMITED);
        assertThat(over.exchange().outcome().reason()).isEqualTo("session-rate");
        assertThat(over.field("ratelimit-policy")).isEqualTo("\"api\";q=60;w=60");

        assertThat(passed(5, "api", session(2, null))).as("another session").isEqualTo(5);
        assertThat(passed(20, "api", new Credential(new byte[16], false)))
                .as("tokens, each of which passes once")
                .isEqualTo(20);
        stage.advance(Duration.ofSeconds(1));
        assertThat(passed(20, "api", session(1, null))).isEqualTo(1);
    }

    @Test
    void addressKeepsItsOwnLimit() {
        for (int i = 0; i < 5; i++) {
            assertThat(stage.get("/")
                            .limit("api")
                            .credential(session(i, null))
                            .send()
                            .passed())
                    .isTrue();
        }
        AdmissionResult over =
                stage.get("/").limit("api").credential(session(9, null)).send();
        assertThat(over.status()).isEqualTo(429);
        assertThat(over.exchange().outcome().reason()).isEmpty();
    }

    @Test
    void configuredRateCountsOnAllRoutesTogether() {
        stage.close();
        stage = new AdmissionFixture(
                KeyRing.random(), limit("api", RateKey.HOST), limit("shop", RateKey.CLIENT_ADDRESS));
        Credential session = session(1, Rate.of("3/m"));

        assertThat(passed(1, "api", session)).isEqualTo(1);
        assertThat(passed(1, "shop", session)).isEqualTo(1);
        assertThat(passed(1, null, session)).as("a route without a limit").isEqualTo(1);
        assertThat(passed(5, null, session)).isZero();
        AdmissionResult over = stage.get("/").limit(null).credential(session).send();
        assertThat(over.status()).isEqualTo(429);
        assertThat(over.field("ratelimit-policy")).isEqualTo("\"session\";q=3;w=60");
        assertThat(passed(5, "shop", session)).isZero();
        assertThat(passed(4, "api", session(2, Rate.of("0")))).as("no budget").isEqualTo(4);
    }

    @Test
    void sessionBeyondItsBudgetUsesUpNoOther() {
        stage.close();
        stage = new AdmissionFixture(KeyRing.random(), limit("api", RateKey.HOST));

        assertThat(passed(100, "api", session(1, Rate.of("2/m")))).isEqualTo(2);

        assertThat(passed(9, "api", session(2, Rate.of("100/m"))))
                .as("what the host has left")
                .isEqualTo(3);
    }

    @Test
    void sessionInARoomHasTheRateOfAnAdmittedOne() {
        stage.close();
        stage = new AdmissionFixture(
                KeyRing.random(),
                new RateLimitRule(
                        "site",
                        Rate.of("1/s"),
                        0,
                        RateKey.CLIENT_ADDRESS,
                        RateLimitRule.Store.EMBEDDED,
                        AdmissionFixture.fairQueue(RoomPer.RULE, 1, Rate.of("7/m"), AdmissionFixture.NO_TENANTS)));

        assertThat(passed(50, "site", session(1, null)))
                .as("within the base rate of 50 addresses")
                .isEqualTo(7);
        assertThat(stage.get("/")
                        .from("172.16.0.1")
                        .credential(session(2, null))
                        .send()
                        .passed())
                .as("another session")
                .isTrue();
    }

    @Test
    void budgetsAreThoseOfTheSessionAndTheLimit() {
        Credential one = session(1, null);
        AdmissionStage.SessionBudget ofLimit =
                Objects.requireNonNull(AdmissionStage.SessionBudget.of(one, limit("api", RateKey.ROUTE)));
        assertThat(ofLimit.key()).isEqualTo("~session~api~01000000000000000000000000000000");
        assertThat(ofLimit.shared()).isFalse();
        assertThat(AdmissionStage.SessionBudget.of(one, limit("api", RateKey.HOST)))
                .as("the rate of the host is not more")
                .isNull();
        assertThat(AdmissionStage.SessionBudget.of(one, null)).isNull();
        assertThat(AdmissionStage.SessionBudget.of(null, limit("api", RateKey.ROUTE)))
                .isNull();
        AdmissionStage.SessionBudget ofAll =
                Objects.requireNonNull(AdmissionStage.SessionBudget.of(session(1, Rate.of("1/s")), null));
        assertThat(ofAll.key()).isEqualTo("~session~01000000000000000000000000000000");
        assertThat(ofAll.shared()).isTrue();
    }
}
