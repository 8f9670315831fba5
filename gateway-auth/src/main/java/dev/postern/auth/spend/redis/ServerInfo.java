package dev.postern.auth.spend.redis;

import java.util.HashMap;
import java.util.Map;

/**
 * What a server says of itself in INFO.
 *
 * @param runId another one after each start
 * @param replicas that follow it now
 * @param evicted keys that it dropped for want of memory
 * @param policy what it does when memory is short; {@code noeviction} is the only one that forgets no token
 */
record ServerInfo(String runId, boolean master, int replicas, long evicted, String policy) {

    /** @throws IllegalArgumentException when that is not the INFO of a Redis */
    static ServerInfo parse(String text) {
        Map<String, String> values = new HashMap<>();
        for (String line : text.split("\r?\n")) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                values.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return new ServerInfo(
                of(values, "run_id"),
                of(values, "role").equals("master"),
                Integer.parseInt(of(values, "connected_slaves")),
                Long.parseLong(of(values, "evicted_keys")),
                of(values, "maxmemory_policy"));
    }

    private static String of(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("INFO: no " + name + " (expected: that of a Redis)");
        }
        return value;
    }

    /** What keeps this server from being trusted with tokens, or an empty text. */
    String objection() {
        return master ? "" : "a replica (expected: a master)";
    }

    boolean mayForget() {
        return !policy.equals("noeviction");
    }
}
