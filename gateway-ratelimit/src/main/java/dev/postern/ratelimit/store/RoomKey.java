package dev.postern.ratelimit.store;

import dev.postern.ratelimit.queue.RoomRules;

/**
 * Room key: the identity of a room, and its rules.
 *
 * @param limit name of the limit
 * @param id unique among all rooms: the limit's name, optionally followed by {@code ~} and a hash; safe in keys, URLs and pages
 * @param rules rules as configured
 */
public record RoomKey(String limit, String id, RoomRules rules) {

    /** Returns the name of the limit to which a room with the id belongs. */
    public static String limitOf(String id) {
        int tilde = id.indexOf('~');
        return tilde < 0 ? id : id.substring(0, tilde);
    }
}
