package dev.postern.ratelimit.store;

import dev.postern.ratelimit.queue.RoomRules;

/**
 * Which room is meant, and what rules it.
 *
 * @param limit the name of its limit
 * @param id unique among all rooms: the limit's name, or with {@code ~} and a hash behind it; safe in keys, URLs and pages
 * @param rules as configured now
 */
public record RoomKey(String limit, String id, RoomRules rules) {

    /** The name of the limit to which a room of that id belongs. */
    public static String limitOf(String id) {
        int tilde = id.indexOf('~');
        return tilde < 0 ? id : id.substring(0, tilde);
    }
}
