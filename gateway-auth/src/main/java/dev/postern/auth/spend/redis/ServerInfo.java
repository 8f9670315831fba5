package dev.postern.auth.spend.redis;

import java.util.HashMap;
import java.util.Map;

/**
 * Server information, from INFO.
 *
 * @param runId run id; changes with each start of the server
 * @param replicas number of connected replicas
 * @param evicted number of keys evicted because memory was short
 * @param policy maxmemory-policy; {@code noeviction} is the only policy under which no spend is lost
 */
record ServerInfo(String runId, boolean master, int replicas, long evicted, String policy) {

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

    /** Returns why no token may be spent at this server, or an empty text. */
    String objection() {
        return master ? "" : "a replica (expected: a master)";
    }

    boolean mayForget() {
        return !policy.equals("noeviction");
    }
}
