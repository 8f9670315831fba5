package dev.postern.auth.spend.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class SpentCacheTest {

    private final SpentCache known = new SpentCache();

    @Test
    void containsExactlyAddedKeys() {
        known.add(key(0));
        known.add(key(15));

        assertThat(known.contains(key(0))).isTrue();
        assertThat(known.contains(key(15))).isTrue();
        for (int i = 1; i < 15; i++) {
            assertThat(known.contains(key(i))).isFalse();
        }
    }

    @Test
    void removesRefundedKeys() {
        known.add(key(1));
        known.add(key(9));

        known.forget(key(1));

        assertThat(known.contains(key(1))).isFalse();
        assertThat(known.contains(key(9))).isTrue();
    }

    @Test
    void hasMetersOfItsSizeAndHits() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        SpentCache bound = known.bind(registry);

        bound.add(key(1));
        bound.contains(key(1));
        bound.contains(key(1));
        bound.contains(key(2));

        assertThat(known.contains(key(1))).as("the same cache").isTrue();
        assertThat(registry.get("cache.size")
                        .tag("cache", "spends-known")
                        .gauge()
                        .value())
                .isEqualTo(1);
        assertThat(registry.get("cache.gets")
                        .tags("cache", "spends-known", "result", "hit")
                        .functionCounter()
                        .count())
                .isEqualTo(3);
    }

    /** Creates keys that differ in one byte only. */
    private static byte[] key(int offset) {
        byte[] key = new byte[16];
        key[offset] = 1;
        return key;
    }
}
