package dev.postern.auth.spend.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.Redemption;
import java.util.Arrays;

/**
 * How keys look: {@code NAMESPACE:1:{SHARD}:} and the 16 bytes of the token's key, or {@code epoch} for the shard's mark. The number is the
 * version of this format; neighbouring releases that run side by side must agree on it. Immutable, thread-safe.
 */
final class SpendKeys {

    /** Enough to spread over a Cluster, few enough to look at every mark once a second. */
    static final int SHARDS = 64;

    private static final int LONGEST_NAMESPACE = 100;

    private final byte[][] prefixes = new byte[SHARDS][];

    SpendKeys(String namespace) {
        // Braces would be a hash tag of their own.
        boolean good = namespace.chars().allMatch(c -> c > ' ' && c < 127 && c != '{' && c != '}');
        if (!good || namespace.isEmpty() || namespace.length() > LONGEST_NAMESPACE) {
            throw new IllegalArgumentException("namespace: " + namespace + " (expected: 1 to " + LONGEST_NAMESPACE
                    + " visible ASCII characters without spaces and braces)");
        }
        for (int shard = 0; shard < SHARDS; shard++) {
            prefixes[shard] = (namespace + ":1:" + tag(shard) + ':').getBytes(US_ASCII);
        }
    }

    /** What Cluster makes the slot of. */
    static String tag(int shard) {
        return "{" + shard + "}";
    }

    /** Where a token lies; keys are hashes, so any byte of them will do. */
    static int shard(byte[] key) {
        return key[0] & (SHARDS - 1);
    }

    /** @param key as in {@link Redemption#key} */
    byte[] token(byte[] key) {
        return append(prefixes[shard(key)], key);
    }

    byte[] mark(int shard) {
        return append(prefixes[shard], "epoch".getBytes(US_ASCII));
    }

    private static byte[] append(byte[] prefix, byte[] rest) {
        byte[] whole = Arrays.copyOf(prefix, prefix.length + rest.length);
        System.arraycopy(rest, 0, whole, prefix.length, rest.length);
        return whole;
    }
}
