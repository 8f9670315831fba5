package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Share;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.Credential;
import dev.postern.core.http.Refusal;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import dev.postern.ratelimit.store.RoomState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests visitors of one network beyond its share of the places: what they see, and how they get a place. */
class CrowdedNetworkTest {

    /** Thirty percent of the 100 places of the fixture's room. */
    private static final int SHARE = 30;

    private final AdmissionFixture stage =
            new AdmissionFixture(KeyRing.random(), AdmissionFixture.sharedRoom(new Share(0.3)));

    /** Uses the base rate, both slots, and the share of one network. */
    @BeforeEach
    void crowd() {
        for (int i = 0; i < 3; i++) {
            AdmissionResult seen = stage.get("/").from("198.51.100.1").send();
            assertThat(seen.passed()).isTrue();
            seen.exchange().end();
        }
        for (int i = 1; i <= SHARE; i++) {
            assertThat(stage.get("/").send().field("postern-queue-position")).isEqualTo(Integer.toString(i));
        }
    }

    @AfterEach
    void close() {
        stage.close();
    }

    private long waiting() {
        return stage.limits.state().stream().mapToLong(RoomState::waiting).sum();
    }

    @Test
    void getsThePageWithoutAPlaceAndAPlaceByItsFirstPoll() {
        AdmissionResult page = stage.get("/").with("accept", "text/html").send();
        assertThat(page.status()).isEqualTo(503);
        assertThat(page.exchange().outcome().refusal()).isEqualTo(Refusal.WAITING);
        assertThat(page.field("postern-queue-position")).isEmpty();
        assertThat(page.field("retry-after")).isNotEmpty();
        assertThat(page.body()).contains("<dd id=\"position\">\u2013</dd>");
        assertThat(waiting()).isEqualTo(SHARE);

        AdmissionResult poll =
                stage.get("/.postern/room/site").cookie(page.cookie()).poll();
        assertThat(poll.body()).startsWith("{\"state\":\"waiting\",\"position\":31,");
        assertThat(waiting()).isEqualTo(SHARE + 1);
        AdmissionResult again =
                stage.get("/.postern/room/site").cookie(poll.cookie()).poll();
        assertThat(again.body()).startsWith("{\"state\":\"waiting\",\"position\":31,");
    }

    @Test
    void getsAPlaceByAReload() {
        AdmissionResult json = stage.get("/").send();
        assertThat(json.body()).startsWith("{\"state\":\"unknown\",\"position\":0,");
        assertThat(stage.get("/").cookie(json.cookie()).send().field("postern-queue-position"))
                .isEqualTo("31");
    }

    @Test
    void takesNoPlaceWithoutItsCookie() {
        for (int i = 0; i < 360; i++) {
            stage.get("/").send();
        }
        assertThat(waiting()).isEqualTo(SHARE);
    }

    @Test
    void leavesOtherNetworksTheirPlaces() {
        assertThat(stage.get("/").from("203.0.113.8").send().field("postern-queue-position"))
                .isEqualTo("31");
        assertThat(stage.get("/").from("2001:db8::1").send().field("postern-queue-position"))
                .isEqualTo("32");
    }

    @Test
    void countsIpv6By64Bits() {
        for (int i = 1; i <= SHARE; i++) {
            stage.get("/").from("2001:db8::" + i).send();
        }
        assertThat(stage.get("/").from("2001:db8::ffff:0:0:1").send().field("postern-queue-position"))
                .isEmpty();
        assertThat(stage.get("/").from("2001:db8:0:1::1").send().field("postern-queue-position"))
                .isEqualTo("61");
    }

    @Test
    void doesNotCountTokensOfAForwardListenerWhichHasNoCookies() {
        AdmissionResult waiting = stage.get("/")
                .forward()
                .credential(new Credential(new byte[16], false))
                .send();
        assertThat(waiting.field("postern-queue-position")).isEqualTo("31");
    }
}
