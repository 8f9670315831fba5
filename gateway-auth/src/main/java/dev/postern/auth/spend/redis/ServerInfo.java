package dev.postern.auth.spend.redis;

import dev.postern.core.redis.RedisMemory;
import java.util.HashMap;
import java.util.Map;

/**
 * Server information, from INFO.
 *
 * @param runId run id; changes with each start of the server
 * @param replicas number of connected replicas
 * @param memory whether spends may be evicted, and how many keys were
 */
record ServerInfo(String runId, boolean master, int replicas, RedisMemory memory) {

    /** @throws IllegalArgumentException when the text is not the INFO of a Redis server */
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
                RedisMemory.parse(text));
    }

    private static String of(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("INFO: no " + name + " (expected: that of a Redis)");
        }
        return value;
    }
}
