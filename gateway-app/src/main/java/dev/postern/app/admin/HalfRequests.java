package dev.postern.app.admin;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The connections of an address, and which of them have not sent a whole request: nothing, half of one, or nothing since the last. When there
 * are too many, from one peer or altogether, the oldest of those goes, never the newest: a probe comes at last and is whole at once. Confined
 * to one event loop.
 *
 * @param <C> a connection
 */
final class HalfRequests<C> {

    private final int perPeer;
    private final int all;
    private final Map<C, InetAddress> connections = new HashMap<>();
    private final Map<C, InetAddress> halves = new LinkedHashMap<>();

    /**
     * @param perPeer half requests of one peer at most
     * @param all connections at most, whatever they do
     */
    HalfRequests(int perPeer, int all) {
        this.perPeer = perPeer;
        this.all = all;
    }

    /** A connection from that peer; returns the one that has to go for it, which may be itself, or null. */
    @Nullable
    C add(C connection, InetAddress peer) {
        long ofPeer = halves.values().stream().filter(peer::equals).count();
        C gone = null;
        if (ofPeer >= perPeer) {
            gone = oldest(peer);
        } else if (connections.size() >= all) {
            gone = halves.isEmpty() ? connection : oldest(null);
        }
        if (gone != null) {
            remove(gone);
        }
        if (!connection.equals(gone)) {
            connections.put(connection, peer);
            halves.put(connection, peer);
        }
        return gone;
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

    /** It has sent a whole request. */
    void whole(C connection) {
        halves.remove(connection);
    }

    /** That request is answered. */
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
