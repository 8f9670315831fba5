package dev.postern.auth.spend.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lettuce.core.cluster.SlotHash;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SpendKeysTest {

    private final SpendKeys keys = new SpendKeys("shop");

    @Test
    void usesTheSlotOfTheShardsMarkerForATokensKey() {
        byte[] token = new byte[16];
        Arrays.fill(token, (byte) '}');
        for (int first = 0; first < 256; first++) {
            token[0] = (byte) first;
            int shard = SpendKeys.shard(token);
            assertThat(shard).isBetween(0, SpendKeys.SHARDS - 1);
            assertThat(SlotHash.getSlot(keys.token(token)))
                    .isEqualTo(SlotHash.getSlot(keys.marker(shard)))
                    .isEqualTo(SlotHash.getSlot(SpendKeys.tag(shard)));
        }
    }

    @Test
    void distributesOverACluster() {
        Set<Integer> thirds = new HashSet<>();
        for (int shard = 0; shard < SpendKeys.SHARDS; shard++) {
            thirds.add(SlotHash.getSlot(SpendKeys.tag(shard)) / (16384 / 3 + 1));
        }
        assertThat(thirds).hasSize(3);
    }

    @Test
    void hasTheDocumentedFormat() {
        byte[] token = new byte[16];
        token[0] = 65;
        assertThat(new String(keys.token(token), ISO_8859_1))
                .startsWith("shop:1:{1}:A")
                .hasSize(11 + 16);
        assertThat(new String(keys.marker(63), ISO_8859_1)).isEqualTo("shop:1:{63}:epoch");
    }

    @Test
    void refusesNamespacesWithBraces() {
        for (String bad : new String[] {"", "a b", "a{b", "a}b", "x".repeat(101), "\u00fc", "\u007f"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new SpendKeys(bad))
                    .withMessageContaining("namespace");
        }
    }

    @Test
    void acceptsNamespacesUpToTheLimit() {
        for (String good : new String[] {"!", "~", "x".repeat(100)}) {
            assertThat(new String(new SpendKeys(good).marker(0), ISO_8859_1)).isEqualTo(good + ":1:{0}:epoch");
        }
    }
}
