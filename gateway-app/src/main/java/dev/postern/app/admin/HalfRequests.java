package dev.postern.app.admin;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the connections of a listener that have not sent a complete request: nothing yet, a part of a request, or nothing since the last
 * response. If there are too many, of one peer or of all, the oldest of these connections is closed, never the newest: a probe connects
 * last and sends its request at once. Confined to one event loop.
 *
 * @param <C> a connection
 */
final class HalfRequests<C> {

    private final int perPeer;
    private final int all;
    private final Map<C, InetAddress> connections = new HashMap<>();
    private final Map<C, InetAddress> halves = new LinkedHashMap<>();

    /**
     * @param perPeer maximum of such connections of one peer
     * @param all maximum of connections in any state
     */
    HalfRequests(int perPeer, int all) {
        this.perPeer = perPeer;
        this.all = all;
    }

    /** Adds a connection of the peer. Returns the connection to close instead, which may be the new one, or null. */
    @Nullable
    C add(C connection, InetAddress peer) {
        long ofPeer = halves.values().stream().filter(peer::equals).count();
        C evicted = null;
        if (ofPeer >= perPeer) {
            evicted = oldest(peer);
        } else if (connections.size() >= all) {
            evicted = halves.isEmpty() ? connection : oldest(null);
        }
        if (evicted != null) {
            remove(evicted);
        }
        if (!connection.equals(evicted)) {
            connections.put(connection, peer);
            halves.put(connection, peer);
        }
        return evicted;
    }

    private @Nullable C oldest(@Nullable InetAddress peer) {
        Iterator<Map.Entry<C, InetAddress>> inOrder = halves.entrySet().iterator();
        while (inOrder.hasNext()) {
            Map.Entry<C, InetAddress> next = inOrder.next();
            if (peer == null || next.getValue().equals(peer)) {
                return next.getKey();
            }
        }
        return null;
    }

    /** Records that the connection has sent a complete request. */
    void completed(C connection) {
        halves.remove(connection);
    }

    /** Records that the response to the connection's request is complete. */
    void responded(C connection) {
        InetAddress peer = connections.get(connection);
        if (peer != null) {
            halves.put(connection, peer);
        }
    }

    void remove(C connection) {
        connections.remove(connection);
        halves.remove(connection);
    }

    int size() {
        return connections.size();
    }
}
