package dev.postern.core.server;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Update of the listeners, prepared: all steps that can fail are done, and new sockets listen, but accept no connections yet. Either
 * {@link #commit} or {@link #drop} follows. For one thread.
 */
public final class ListenerUpdate {

    private final ProxyServer server;
    private final Map<BoundListener, ListenerSettings> kept = new HashMap<>();
    private final List<BoundListener> opened = new ArrayList<>();

    ListenerUpdate(ProxyServer server) {
        this.server = server;
    }

    void keep(BoundListener socket, ListenerSettings settings) {
        kept.put(socket, settings);
    }

    boolean keeps(BoundListener socket) {
        return kept.containsKey(socket);
    }

    void open(BoundListener socket) {
        opened.add(socket);
    }

    /** Returns the addresses of the new sockets. */
    public List<InetSocketAddress> opened() {
        return opened.stream().map(BoundListener::bound).toList();
    }

    /** Accepts on the new sockets, changes the settings of those that stay, and closes the others. Can't fail. */
    public void commit() {
        kept.forEach(BoundListener::change);
        server.take(this, opened);
    }

    /** Closes the new sockets. */
    public void drop() {
        opened.forEach(BoundListener::close);
    }
}
