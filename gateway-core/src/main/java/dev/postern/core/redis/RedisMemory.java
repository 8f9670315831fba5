package dev.postern.core.redis;

/**
 * Memory of a Redis server, from INFO: whether the server may forget keys that have not ended.
 *
 * @param policy maxmemory-policy; only {@code noeviction} keeps all keys
 * @param evicted number of keys that this run of the server has evicted
 */
public record RedisMemory(String policy, long evicted) {

    private static final String SAFE = "noeviction";

    /** @throws IllegalArgumentException when the text is not the INFO of a Redis server */
    public static RedisMemory parse(String info) {
        String evicted = valueOf("evicted_keys", info);
        try {
            return new RedisMemory(valueOf("maxmemory_policy", info), Long.parseLong(evicted));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("INFO: evicted_keys: " + evicted + " (expected: a number)", e);
        }
    }

    private static String valueOf(String name, String info) {
        String start = name + ':';
        return info.lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()).strip())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("INFO: no " + name + " (expected: that of a Redis)"));
    }

    public boolean mayForget() {
        return !policy.equals(SAFE);
    }

    /** Returns what is wrong with the policy, and how many keys were evicted; empty for a server that keeps all keys. */
    public String objection() {
        return mayForget() ? "maxmemory-policy: " + policy + " (expected: " + SAFE + "), evicted keys: " + evicted : "";
    }
}
