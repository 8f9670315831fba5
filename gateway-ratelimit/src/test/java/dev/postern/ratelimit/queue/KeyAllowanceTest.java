package dev.postern.ratelimit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import org.junit.jupiter.api.Test;

/** Tests the allowance of new keys: an attacker with random values, and a large honest network beside it. */
class KeyAllowanceTest {

    private static final long DAY = 86_400_000_000L;
    private static final Gcra DAILY = new Gcra(DAY, 0);

    private final KeyAllowance allowance = new KeyAllowance();
    private long now = DAY;

    private int allowed(String network, String name, int from, int to) {
        int allowed = 0;
        for (int i = from; i < to; i++) {
            allowed += allowance.allows(name + i, network, DAILY, now) ? 1 : 0;
        }
        return allowed;
    }

    @Test
    void oneNetworkCannotFillAStore() {
        assertThat(allowed("attacker", "random", 0, 100_000)).isEqualTo(KeyAllowance.PER_NETWORK);
    }

    @Test
    void anHonestNetworkOfAThousandClientsKeepsItsKeys() {
        for (int round = 0; round < 5; round++) {
            allowed("attacker", "random", round * 20_000, (round + 1) * 20_000);
            assertThat(allowed("nat", "client", 0, 1_000)).isEqualTo(1_000);
            now += DAY / 24;
        }
    }

    @Test
    void keysThatEndedMakeWay() {
        allowed("office", "first", 0, KeyAllowance.PER_NETWORK);
        assertThat(allowed("office", "second", 0, 1)).isZero();
        now += DAY;
        assertThat(allowed("office", "second", 0, KeyAllowance.PER_NETWORK)).isEqualTo(KeyAllowance.PER_NETWORK);
    }

    @Test
    void keysThatAStoreForgetsAtOnceHardlyCount() {
        Gcra fast = new Gcra(100_000, 1_000_000);
        int allowed = 0;
        for (int i = 0; i < 100_000; i++) {
            now += 300; // 3,333 new values a second
            allowed += allowance.allows("value" + i, "server", fast, now) ? 1 : 0;
        }
        assertThat(allowed).isEqualTo(100_000);
    }

    /** A key lives for interval and tolerance: here 11 seconds, so that the next one is allowed after 2.7 milliseconds. */
    @Test
    void aNetworkGetsNewKeysAsItsOldOnesEnd() {
        Gcra rate = new Gcra(1_000_000, 10_000_000);
        for (int i = 0; i < KeyAllowance.PER_NETWORK; i++) {
            assertThat(allowance.allows("key" + i, "office", rate, now)).isTrue();
        }
        assertThat(allowance.allows("next", "office", rate, now + 2_600)).isFalse();
        assertThat(allowance.allows("next", "office", rate, now + 2_700)).isTrue();
    }
}
