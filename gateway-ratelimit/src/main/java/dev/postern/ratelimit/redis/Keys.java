package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomReport;
import dev.postern.ratelimit.queue.RoomRules;
import java.util.List;

/** Keys in Redis: instance, version of the layout, and one hash tag per room or limit key. */
final class Keys {

    /** Version of the layout. Increases with each change, so that releases with different layouts never read each other's entries. */
    private static final String VERSION = "q4";

    /** Number of arguments of {@code room.lua} before those of the requests. */
    static final int HEAD = 20;

    private static final String PARTS = "mwsphaglkcdfonr";

    private final String prefix;

    Keys(String instance) {
        prefix = "postern:" + instance + ':' + VERSION + ":{";
    }

    String[] room(String id) {
        String[] keys = new String[PARTS.length()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = prefix + "r:" + id + "}:" + PARTS.charAt(i);
        }
        return keys;
    }

    String limit(String key) {
        return prefix + "l:" + key + '}';
    }

    /**
     * Terms of a call.
     *
     * @param notAfter time of Redis' clock after which the script must not change anything; 0 for no limit
     * @param report report of this node
     */
    record Terms(long notAfter, RoomReport report) {}

    /** Adds the arguments of {@code room.lua} before those of the requests. */
    static void head(RoomRules rules, RoomOverrides overrides, Terms terms, List<String> into) {
        into.add(Long.toString(rules.active()));
        into.add(Long.toString(rules.pass()));
        into.add(Long.toString(rules.idle()));
        into.add(Long.toString(rules.absence()));
        into.add(Long.toString(rules.maxWaiting()));
        into.add(Long.toString(rules.base().intervalMicros()));
        into.add(Long.toString(rules.base().toleranceMicros()));
        into.add(Long.toString(rules.opens()));
        into.add(Long.toString(terms.notAfter()));
        into.add(Long.toString(terms.report().known()));
        into.add(Integer.toString(terms.report().replicas()));
        into.add(Long.toString(overrides.stamp()));
        into.add(Integer.toString(overrides.mode().ordinal()));
        into.add(Integer.toString(overrides.active()));
        into.add(Long.toString(overrides.interval()));
        into.add(Long.toString(overrides.tolerance()));
        into.add(Long.toString(overrides.opens()));
        into.add(terms.report().node());
        into.add(Long.toString(terms.report().reported()));
        into.add(Integer.toString(terms.report().peers()));
    }
}
