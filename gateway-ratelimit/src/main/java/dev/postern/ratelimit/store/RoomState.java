package dev.postern.ratelimit.store;

import dev.postern.ratelimit.queue.RoomOverrides;

/**
 * A room as this node last saw it.
 *
 * @param limit the name of its limit
 * @param id of the room
 * @param waiting people in the line
 * @param active sessions with a pass
 * @param overrides what an operator wants of it
 */
public record RoomState(String limit, String id, long waiting, long active, RoomOverrides overrides) {

    /** A room in which nobody is, of which an operator wants something. */
    public static RoomState empty(String id, RoomOverrides overrides) {
        return new RoomState(RoomKey.limitOf(id), id, 0, 0, overrides);
    }
}
