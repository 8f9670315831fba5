package dev.postern.auth.spend.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.StoreSizing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeySetTest {

    private record Pair(long high, long low) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void behavesLikeASet(long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        KeySet keys = new KeySet(new KeyHash(random.nextLong(), random.nextLong()));
        Set<Pair> model = new HashSet<>();

        for (int i = 0; i < 20_000; i++) {
            // Few different keys, so that all operations find existing keys.
            Pair pair = new Pair(random.nextInt(40) + 1, random.nextInt(40));
            if (random.nextInt(5) < 3) {
                if (model.add(pair)) {
                    growWhenCrowded(keys);
                    keys.add(pair.high, pair.low);
                }
            } else {
                assertThat(keys.remove(pair.high, pair.low)).isEqualTo(model.remove(pair));
            }
            assertThat(keys.size()).isEqualTo(model.size());
        }
        for (long high = 1; high <= 40; high++) {
            for (long low = 0; low < 40; low++) {
                assertThat(keys.contains(high, low)).isEqualTo(model.contains(new Pair(high, low)));
            }
        }
    }

    @Test
    void storesTheKeyOfZeros() {
        KeySet keys = new KeySet(new KeyHash(7, 8));
        assertThat(keys.contains(0, 0)).isFalse();

        keys.add(0, 0);

        assertThat(keys.contains(0, 0)).isTrue();
        assertThat(keys.remove(0, 0)).isTrue();
        assertThat(keys.contains(0, 0)).isFalse();
    }

    @Test
    void isFullBeforeProbingBecomesEndless() {
        KeySet keys = new KeySet(new KeyHash(7, 8));
        List<Long> added = new ArrayList<>();
        for (long i = 1; !keys.full(); i++) {
            keys.add(i, i);
            added.add(i);
        }

        assertThat(added).hasSizeLessThan(KeySet.FIRST_SLOTS).hasSizeGreaterThan(KeySet.FIRST_SLOTS / 2);
        assertThat(keys.contains(-1, -1)).isFalse();
    }

    @Test
    void doublesItsSizeAtThreeQuarters() {
        KeySet keys = new KeySet(new KeyHash(7, 8));
        for (long i = 1; i <= 11; i++) {
            keys.add(i, i);
        }
        assertThat(keys.crowded()).isFalse();
        keys.add(12, 12);
        assertThat(keys.crowded()).isTrue();

        long grown = keys.bytesGrown();
        assertThat(grown).isEqualTo(2 * keys.bytes());
        keys.grow();
        assertThat(keys.bytes()).isEqualTo(grown);
        assertThat(keys.crowded()).isFalse();
    }

    @Test
    void takesNoMoreMemoryForAKeyThanTheSizingSays() {
        KeySet keys = new KeySet(new KeyHash(7, 8));
        for (long i = 1; i <= 10_000; i++) {
            growWhenCrowded(keys);
            keys.add(i, i);
            if (keys.size() > KeySet.FIRST_SLOTS) {
                assertThat(keys.bytes()).isLessThanOrEqualTo((long) keys.size() * StoreSizing.EMBEDDED.bytes());
            }
        }
    }

    @Test
    void mixesEachBitOfAKeyAndOfItsSecretIntoUpperAndLowerBits() {
        KeyHash hash = new KeyHash(0x1234_5678_9abc_def0L, 0x0fed_cba9_8765_4321L);
        long plain = hash.of(5, 6);
        for (int bit = 0; bit < 64; bit++) {
            long one = 1L << bit;
            for (long other : new long[] {
                hash.of(5 ^ one, 6), hash.of(5, 6 ^ one), new KeyHash(hash.seed() ^ one, hash.multiplier()).of(5, 6)
            }) {
                assertThat(Integer.bitCount((int) (other ^ plain)))
                        .as("lower half, bit %d", bit)
                        .isGreaterThan(3);
                assertThat(Integer.bitCount((int) ((other ^ plain) >>> 32)))
                        .as("upper half, bit %d", bit)
                        .isGreaterThan(3);
            }
        }
    }

    @Test
    void distributesKeysWithACommonPrefix() {
        KeyHash hash = new KeyHash(0x1234_5678_9abc_def0L, 0x0fed_cba9_8765_4321L);
        int[] positions = new int[64];
        for (long i = 0; i < 64_000; i++) {
            positions[(int) hash.of(42, i << 40) & 63]++;
        }

        assertThat(Arrays.stream(positions).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(700, 1300));
    }

    private static void growWhenCrowded(KeySet keys) {
        if (keys.crowded()) {
            keys.grow();
        }
    }
}
