package dev.postern.ratelimit.handler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.crypto.KeyRing;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.ratelimit.handler.AdmissionFixture.AdmissionResult;
import dev.postern.ratelimit.memory.MemoryRoomStore;
import dev.postern.ratelimit.store.RateLimitRule;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests two nodes of one store that does not respond, or responds late. Two sessions may be active; a pass ends after 60 s of silence. */
class StoreOutageTest {

    private static final String STATUS = "/.postern/room/site";
    private static final String HOME = "203.0.113.7";
    private static final String OTHER = "198.51.100.1";

    private final KeyRing ring = KeyRing.random();
    private final RateLimitRule rule = AdmissionFixture.roomLimit("site", 2);
    private final AdmissionFixture one = new AdmissionFixture(ring, rule);
    private final AdmissionFixture two = new AdmissionFixture(ring, rule);
    private final InterruptibleStore store =
            new InterruptibleStore(new MemoryRoomStore(one.channel.eventLoop(), one.clock));
    private String pass = "";
    private String place = "";

    @BeforeEach
    void fillTheRoom() {
        for (AdmissionFixture node : List.of(one, two)) {
            node.replaceLimits(new RateLimiters(List.of(new RateLimiter(rule, null, store, node.registry))));
        }
        assertThat(one.get("/").send().passed()).as("on the base rate").isTrue();
        AdmissionResult admitted = one.get("/").send();
        assertThat(admitted.passed()).isTrue();
        admitted.exchange().end();
        pass = admitted.cookie();
        one.get("/").send().exchange().end();
        place = one.get("/").send().cookie();
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
        store.close();
    }

    private void advance(Duration amount) {
        one.advance(amount);
        two.advance(amount);
    }

    /** Runs the tasks of both nodes: the rooms are on the loop of the first one. */
    private void respond() {
        advance(Duration.ofMillis(1));
    }

    private static @Nullable Refusal refusal(AdmissionResult result) {
        return result.exchange().outcome().refusal();
    }

    private boolean passes(AdmissionFixture node, String address) {
        AdmissionResult result = node.get("/").cookie(pass).from(address).send();
        boolean passed = result.passed();
        result.exchange().end();
        return passed;
    }

    private void leave(AdmissionFixture node, String address) {
        node.request(Method.DELETE, STATUS).cookie(pass).from(address).poll();
    }

    @Test
    void admitsNoNewSession() {
        store.down(true);
        AdmissionResult result = one.get("/").send();
        assertThat(refusal(result)).isEqualTo(Refusal.ROOM_UNKNOWN);
        assertThat(result.exchange().outcome().reason()).isEqualTo("room-unknown");
    }

    @Test
    void aPassLastsWhileItIsUsed() {
        store.down(true);
        for (int i = 0; i < 4; i++) {
            advance(Duration.ofSeconds(30));
            assertThat(passes(one, HOME)).as("after %s s", 30 * (i + 1)).isTrue();
        }
    }

    @Test
    void aPassEndsAfterItsSilence() {
        store.down(true);
        advance(Duration.ofSeconds(61));
        assertThat(passes(one, HOME)).isFalse();
    }

    @Test
    void anotherNodeTakesThePassFromTheCookie() {
        store.down(true);
        assertThat(passes(two, HOME)).isTrue();
        assertThat(refusal(two.get("/").send())).isEqualTo(Refusal.ROOM_UNKNOWN);
    }

    @Test
    void aWaitingSessionKeepsItsPlace() {
        store.down(true);
        AdmissionResult waiting = one.get("/").cookie(place).send();
        assertThat(refusal(waiting)).isEqualTo(Refusal.WAITING);
        advance(Duration.ofSeconds(10));
        store.down(false);
        assertThat(one.get("/").cookie(waiting.cookie()).send().field("postern-queue-position"))
                .isEqualTo("1");
    }

    @Test
    void aHolderEndsItsPassFromItsNetwork() {
        store.down(true);
        leave(two, HOME);
        assertThat(passes(two, HOME)).isFalse();
    }

    @Test
    void aHolderInAnotherNetworkEndsNoPassThatIsNotKnown() {
        store.down(true);
        leave(two, OTHER);
        assertThat(passes(two, HOME)).isTrue();
    }

    @Test
    void withoutTheStoreANodeCountsNetworksAlone() {
        store.down(true);
        for (String address : List.of(OTHER, "198.51.101.1", "2001:db8:1::1")) {
            assertThat(passes(one, address)).as(address).isTrue();
        }
        assertThat(passes(one, "192.0.3.1")).as("a fifth network").isFalse();
        assertThat(passes(one, OTHER)).isTrue();
    }

    @Test
    void aPassThatOtherNodesSawInAllItsNetworksIsNotUsable() {
        store.fullOfNetworks();
        assertThat(passes(one, OTHER)).isFalse();
        assertThat(passes(one, HOME)).isTrue();
        leave(one, OTHER);
        assertThat(passes(one, HOME)).as("ended by a stranger").isTrue();
    }

    @Test
    void aLateDecisionForAnEndedExchangeIsNotUsed() {
        store.hold();
        AdmissionResult admission = two.get("/").cookie(pass).send();
        AdmissionResult departure =
                two.request(Method.DELETE, STATUS).cookie(pass).poll();
        AdmissionResult network = one.get("/").cookie(pass).from(OTHER).send();
        respond();
        for (AdmissionResult result : List.of(admission, departure, network)) {
            result.exchange().end();
        }
        store.release();
        respond();
        assertThat(admission.passed()).isFalse();
        assertThat(network.passed()).isFalse();
        assertThat(passes(one, HOME)).as("not ended").isTrue();
    }

    @Test
    void aPassThatEndedBeforeTheResponseIsAskedAgain() {
        store.hold();
        AdmissionResult result = two.get("/").cookie(pass).send();
        respond();
        advance(Duration.ofSeconds(61));
        store.release();
        respond();
        assertThat(result.passed()).isTrue();
    }
}
