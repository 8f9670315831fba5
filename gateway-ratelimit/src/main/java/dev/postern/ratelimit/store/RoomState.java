package dev.postern.ratelimit.store;

import dev.postern.ratelimit.queue.RoomOverrides;

/**
 * Room state as last seen by this node.
 *
 * @param limit name of the limit
 * @param id id of the room
 * @param waiting number of waiting sessions
 * @param active number of sessions with a pass
 * @param overrides overrides by the operator
 */
public record RoomState(String limit, String id, long waiting, long active, RoomOverrides overrides) {

    /** Returns the state of a room without sessions, with overrides. */
    public static RoomState empty(String id, RoomOverrides overrides) {
        return new RoomState(RoomKey.limitOf(id), id, 0, 0, overrides);
    }
}
