package dev.postern.ratelimit.queue;

/**
 * What a node tells a room with each call, beside what it asks (docs/adr/0026).
 *
 * @param node its name, of {@code A-Za-z0-9_-}
 * @param known the epoch of the room's memory that it has told what it knows; 0 when it knows nothing of the room
 * @param told up to which instant of the room's clock: no pass that ended before is used there any more
 * @param peers how many nodes shared the memory that it knew
 * @param replicas how many nodes share the room at most
 */
public record RoomReport(String node, long known, long told, int peers, int replicas) {}
