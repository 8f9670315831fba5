package dev.postern.ratelimit.redis;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomReport;
import dev.postern.ratelimit.queue.RoomRules;
import java.util.List;

/** Keys in Redis: instance, version of the layout, and one hash tag per room or limit key. */
final class Keys {

    /** Version of the layout. Increases with each change, so that releases with different layouts never read each other's entries. */
    private static final String VERSION = "q5";

    /** Number of arguments of {@code room.lua} before those of the requests. */
    static final int HEAD = 23;

    private static final String NONE = "0";
    private static final String PARTS = "mwsphaglkcdfonrbq";

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

    /** @param pass key of the pass within the room */
    String networks(String roomId, String pass) {
        return prefix + "r:" + roomId + "}:v:" + pass;
    }

    /**
     * Terms of a call.
     *
     * @param notAfter time of the room's clock after which the script must not change anything; 0 for no limit
     * @param sent time of the room's clock at which this node sends the call, by this node's clock; 0 while unknown
     * @param report report of this node
     */
    record Terms(long notAfter, long sent, RoomReport report) {}

    /** Adds the arguments of {@code room.lua} before those of the requests. */
    static void head(RoomRules rules, RoomOverrides overrides, Terms terms, List<String> into) {
        into.add(Long.toString(rules.active()));
        into.add(Long.toString(rules.pass()));
        into.add(Long.toString(rules.idle()));
        into.add(Long.toString(rules.absence()));
        into.add(Long.toString(rules.maxWaiting()));
        Gcra base = rules.base();
        into.add(base == null ? NONE : Long.toString(base.intervalMicros()));
        into.add(base == null ? NONE : Long.toString(base.toleranceMicros()));
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
        into.add(Long.toString(rules.keep()));
        into.add(Integer.toString(rules.perNetwork()));
        into.add(Long.toString(terms.sent()));
    }
}
