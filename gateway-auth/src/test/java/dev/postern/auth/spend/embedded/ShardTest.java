package dev.postern.auth.spend.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.auth.spend.SpendResult;
import org.junit.jupiter.api.Test;

class ShardTest {

    private static final long FIRST = KeySet.bytes(KeySet.FIRST_SLOTS);

    private final MemoryLimit limit = new MemoryLimit(FIRST * 100);
    private final Shard shard = new Shard(new KeyHash(7, 8), limit);

    @Test
    void dropsSpendsAtTheirEnd() {
        assertThat(shard.spend(1, 1, 1000, 0)).isEqualTo(SpendResult.FRESH);

        assertThat(shard.contains(1, 1, 999)).isTrue();
        assertThat(shard.spend(1, 1, 1000, 999)).isEqualTo(SpendResult.SPENT);
        assertThat(shard.contains(1, 1, 1000)).isFalse();
        assertThat(shard.spend(1, 1, 2000, 1000)).isEqualTo(SpendResult.FRESH);
    }

    @Test
    void reservesMemoryForEachWindowAndReleasesIt() {
        shard.spend(1, 1, 1000, 0);
        shard.spend(2, 2, 2000, 0);
        shard.spend(3, 3, 2000, 0);
        assertThat(limit.used()).isEqualTo(2 * FIRST);

        assertThat(shard.size(1000)).isEqualTo(2);
        assertThat(limit.used()).isEqualTo(FIRST);
        assertThat(shard.spend(4, 4, 3000, 2000)).isEqualTo(SpendResult.FRESH);
        assertThat(limit.used()).as("only the new one").isEqualTo(FIRST);
    }

    @Test
    void reservesMemoryForTheGrownSetOnly() {
        for (int i = 1; i <= 13; i++) {
            assertThat(shard.spend(i, i, 1000, 0)).isEqualTo(SpendResult.FRESH);
        }

        assertThat(limit.used()).isEqualTo(2 * FIRST);
        for (int i = 1; i <= 13; i++) {
            assertThat(shard.contains(i, i, 0)).isTrue();
        }
    }

    @Test
    void growsAtThreeQuartersOrRefusesBeforeItIsFull() {
        MemoryLimit tight = new MemoryLimit(FIRST * 2);
        Shard poor = new Shard(new KeyHash(7, 8), tight);
        int fresh = 0;
        while (poor.spend(fresh + 1, 1, 1000, 0) == SpendResult.FRESH) {
            fresh++;
        }

        // While a set grows, both arrays are reserved: three times the first.
        assertThat(fresh).isEqualTo(KeySet.FIRST_SLOTS / 16 * 15);
        assertThat(tight.used()).isEqualTo(FIRST);
        assertThat(poor.spend(1, 1, 1000, 0)).isEqualTo(SpendResult.SPENT);
    }

    @Test
    void removesExistingKeys() {
        shard.spend(1, 1, 1000, 0);
        shard.spend(2, 2, 2000, 0);

        assertThat(shard.remove(3, 3)).isFalse();
        assertThat(shard.remove(2, 2)).isTrue();
        assertThat(shard.remove(2, 2)).isFalse();
        assertThat(shard.contains(1, 1, 0)).isTrue();
        assertThat(shard.contains(2, 2, 0)).isFalse();
    }
}
