package dev.postern.auth.spend.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.Redemption;
import java.util.Arrays;

/**
 * Keys of the ledger in Redis: {@code NAMESPACE:1:{SHARD}:} and the 16 bytes of the token's key, or {@code epoch} for the shard's epoch
 * marker. The number is the version of this format; releases that run side by side must use the same version. Immutable, thread-safe.
 */
final class SpendKeys {

    /** Number of shards: enough to spread over a Cluster, few enough to check every epoch marker once a second. */
    static final int SHARDS = 64;

    private static final int LONGEST_NAMESPACE = 100;

    private final byte[][] prefixes = new byte[SHARDS][];

    SpendKeys(String namespace) {
        // Braces in the namespace would form another hash tag.
        boolean good = namespace.chars().allMatch(c -> c > ' ' && c < 127 && c != '{' && c != '}');
        if (!good || namespace.isEmpty() || namespace.length() > LONGEST_NAMESPACE) {
            throw new IllegalArgumentException("namespace: " + namespace + " (expected: 1 to " + LONGEST_NAMESPACE
                    + " visible ASCII characters without spaces and braces)");
        }
        for (int shard = 0; shard < SHARDS; shard++) {
            prefixes[shard] = (namespace + ":1:" + tag(shard) + ':').getBytes(US_ASCII);
        }
    }

    /** Returns the hash tag, from which a Cluster computes the slot. */
    static String tag(int shard) {
        return "{" + shard + "}";
    }

    /** Returns the shard of a token. Keys are hashes, so any byte of the key is suitable. */
    static int shard(byte[] key) {
        return key[0] & (SHARDS - 1);
    }

    /** @param key as in {@link Redemption#key} */
    byte[] token(byte[] key) {
        return append(prefixes[shard(key)], key);
    }

    byte[] marker(int shard) {
        return append(prefixes[shard], "epoch".getBytes(US_ASCII));
    }

    private static byte[] append(byte[] prefix, byte[] rest) {
        byte[] whole = Arrays.copyOf(prefix, prefix.length + rest.length);
        System.arraycopy(rest, 0, whole, prefix.length, rest.length);
        return whole;
    }
}
