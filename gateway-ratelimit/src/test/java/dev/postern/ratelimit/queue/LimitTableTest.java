package dev.postern.ratelimit.queue;

import static dev.postern.ratelimit.queue.AdmissionRequests.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision.Kind;
import org.junit.jupiter.api.Test;

/** Tests limits without a room: one request a second, a burst of one, at most three keys. */
class LimitTableTest {

    private static final long NOW = 1_000 * SECOND;
    private static final Gcra RATE = new Gcra(SECOND, SECOND);

    private final LimitTable table = new LimitTable(3);

    private Kind ask(String key, long now) {
        return table.decide(key, RATE, now).kind();
    }

    @Test
    void eachKeyHasARateOfItsOwn() {
        assertThat(ask("a", NOW)).isEqualTo(Kind.BASE);
        assertThat(ask("a", NOW)).isEqualTo(Kind.BASE);
        assertThat(table.decide("a", RATE, NOW)).isEqualTo(AdmissionDecision.limit(false, SECOND));
        assertThat(ask("b", NOW)).isEqualTo(Kind.BASE);
        assertThat(ask("a", NOW + SECOND - 1)).isEqualTo(Kind.LIMITED);
        assertThat(ask("a", NOW + SECOND)).isEqualTo(Kind.BASE);
    }

    @Test
    void removesAnIdleKey() {
        ask("a", NOW);
        ask("b", NOW);
        assertThat(table.size()).isEqualTo(2);
        ask("c", NOW + SECOND);
        assertThat(table.size()).isOne();
    }

    @Test
    void removesTheLeastRecentlyUsedKeyFirst() {
        for (String key : new String[] {"a", "b", "c"}) {
            ask(key, NOW);
            ask(key, NOW);
        }
        assertThat(table.size()).isEqualTo(3);
        ask("d", NOW);
        assertThat(table.size()).isEqualTo(3);
        assertThat(ask("b", NOW)).isEqualTo(Kind.LIMITED);
        assertThat(ask("a", NOW)).as("starts anew").isEqualTo(Kind.BASE);
    }

    @Test
    void prefersTheOldKeyThatIsNearestToItsFullRate() {
        ask("a", NOW);
        ask("a", NOW);
        ask("b", NOW);
        ask("c", NOW);
        ask("d", NOW);
        assertThat(ask("a", NOW)).as("used up, so kept").isEqualTo(Kind.LIMITED);
        assertThat(table.size()).isEqualTo(3);
    }

    @Test
    void removesABoundedNumberOfEndedKeysAtOnce() {
        ExpiringMap<String> map = new ExpiringMap<>(1_000);
        for (int i = 0; i <= RoomRules.PURGE; i++) {
            map.put("k" + i, "v", NOW);
        }
        map.dropEnded(NOW - 1);
        assertThat(map.size()).isEqualTo(RoomRules.PURGE + 1);
        assertThat(map.get("k0", NOW - 1)).isEqualTo("v");
        assertThat(map.get("k0", NOW)).isNull();
        map.dropEnded(NOW);
        assertThat(map.size()).isOne();
        assertThat(map.isEmpty()).isFalse();
        map.dropEnded(NOW);
        assertThat(map.isEmpty()).isTrue();
    }

    @Test
    void looksForTheKeyToRemoveAmongABoundedNumberOfOldOnes() {
        ExpiringMap<String> map = new ExpiringMap<>(RoomRules.PURGE + 1);
        for (int i = 0; i < RoomRules.PURGE; i++) {
            map.put("k" + i, "v", NOW + 2);
        }
        map.put("young", "v", NOW + 1);
        map.put("new", "v", NOW + 2);
        assertThat(map.get("k0", NOW)).as("the oldest").isNull();
        assertThat(map.get("young", NOW)).isEqualTo("v");
    }

    @Test
    void aFasterRateDoesNotWaitForTheSlowerOne() {
        Gcra hourly = new Gcra(3_600 * SECOND, 0);
        assertThat(table.decide("a", hourly, NOW).kind()).isEqualTo(Kind.BASE);
        assertThat(table.decide("a", RATE, NOW)).isEqualTo(AdmissionDecision.limit(false, SECOND));
        assertThat(ask("a", NOW + SECOND)).isEqualTo(Kind.BASE);
    }
}
