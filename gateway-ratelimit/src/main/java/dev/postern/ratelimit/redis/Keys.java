package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.queue.RoomOverrides;
import dev.postern.ratelimit.queue.RoomReport;
import dev.postern.ratelimit.queue.RoomRules;
import java.util.List;

/** The names of everything in Redis: instance, version of the layout, and one hash tag per room or limit key. */
final class Keys {

    /** Goes up when the layout changes, so that two neighbouring releases never read each other's rows. */
    private static final String VERSION = "q3";

    /** Arguments of a room's script before those of the visits. */
    static final int HEAD = 20;

    private static final String PARTS = "mwsphaglkcdfon";

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
     * On what terms a call is made.
     *
     * @param notAfter on Redis' clock, after which nothing may be done any more; 0 for no bound
     * @param report what this node tells with it
     */
    record Terms(long notAfter, RoomReport report) {}

    /** The arguments of a room's script before those of the visits. */
    static void head(RoomRules rules, RoomOverrides overrides, Terms terms, List<String> into) {
        into.add(Long.toString(rules.active()));
        into.add(Long.toString(rules.pass()));
        into.add(Long.toString(rules.idle()));
        into.add(Long.toString(rules.absence()));
        into.add(Long.toString(rules.most()));
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
        into.add(Long.toString(terms.report().told()));
        into.add(Integer.toString(terms.report().peers()));
    }
}
