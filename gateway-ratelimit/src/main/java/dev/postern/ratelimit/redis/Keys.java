package dev.postern.ratelimit.redis;

import dev.postern.ratelimit.queue.RoomRules;
import java.util.List;

/** The names of everything in Redis: instance, version of the layout, and one hash tag per room or limit key. */
final class Keys {

    /** Goes up when the layout changes, so that two neighbouring releases never read each other's rows. */
    private static final String VERSION = "q1";

    private static final String PARTS = "mwsphaglkcd";

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

    /** The arguments of a room's script before those of the visits. */
    static void head(RoomRules rules, long notAfter, long known, int replicas, List<String> into) {
        into.add(Long.toString(rules.active()));
        into.add(Long.toString(rules.pass()));
        into.add(Long.toString(rules.idle()));
        into.add(Long.toString(rules.absence()));
        into.add(Long.toString(rules.most()));
        into.add(Long.toString(rules.base().intervalMicros()));
        into.add(Long.toString(rules.base().toleranceMicros()));
        into.add(Long.toString(notAfter));
        into.add(Long.toString(known));
        into.add(Integer.toString(replicas));
        into.add(Integer.toString(rules.mode().ordinal()));
    }
}
