package dev.postern.ratelimit.store;

/**
 * A room as this node last saw it.
 *
 * @param limit the name of its limit
 * @param id of the room
 * @param waiting people in the line
 * @param active sessions with a pass
 */
public record RoomState(String limit, String id, long waiting, long active) {}
