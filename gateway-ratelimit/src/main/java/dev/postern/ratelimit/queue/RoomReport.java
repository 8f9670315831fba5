package dev.postern.ratelimit.queue;

/**
 * Report of a node to a room, sent with each call (docs/adr/0026).
 *
 * @param node name of the node, of {@code A-Za-z0-9_-}
 * @param known epoch of the room's memory to which the node has reported all it knows; 0 when the node knows nothing of the room
 * @param reported time of the room's clock up to which the node has reported: no pass with an earlier end is used on the node any more
 * @param peers number of nodes that shared the room under the known epoch
 * @param replicas maximum number of nodes that share the room
 */
public record RoomReport(String node, long known, long reported, int peers, int replicas) {}
