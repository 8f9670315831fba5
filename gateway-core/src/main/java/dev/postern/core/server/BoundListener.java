package dev.postern.core.server;

import dev.postern.core.connection.ConnectionHandlers;
import dev.postern.core.transport.loop.AtomicSnapshot;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Listener with a bound socket: its current generation, and earlier generations that still have connected clients. Thread-safe; changed by
 * one thread at a time.
 */
final class BoundListener {

    private final Channel channel;
    private final List<ListenerGeneration> earlier = new CopyOnWriteArrayList<>();
    private final AtomicSnapshot<ListenerGeneration> generation;

    /** @param generation the current generation, read by the accepting threads; changed here only */
    BoundListener(Channel channel, AtomicSnapshot<ListenerGeneration> generation) {
        this.channel = channel;
        this.generation = generation;
    }

    ListenerSettings settings() {
        return generation.get().settings();
    }

    InetSocketAddress bound() {
        return (InetSocketAddress) channel.localAddress();
    }

    void accept(ConnectionHandlers handlers) {
        handlers.accept(channel);
    }

    /** Returns whether this socket can serve the settings. */
    boolean serves(ListenerSettings wanted) {
        ListenerSettings now = settings();
        boolean sameName = now.listener().name().equals(wanted.listener().name());
        // Listeners on port 0 never share a socket, except under the same name.
        return now.address().equals(wanted.address()) && (wanted.address().getPort() != 0 || sameName);
    }

    /** Changes the generation of new connections. Clients of earlier generations are asked to close, except when only limits differ. */
    void change(ListenerSettings wanted) {
        if (settings().equals(wanted)) {
            return;
        }
        earlier.removeIf(one -> one.clients().isEmpty());
        earlier.add(generation.exchange(ListenerGeneration.of(wanted)));
        earlier.stream().filter(one -> !one.suits(wanted)).forEach(ListenerGeneration::ask);
    }

    /** Closes the socket: no connections are accepted any more. */
    void close() {
        channel.close().awaitUninterruptibly();
    }

    /** Returns the generations of all connected clients. */
    List<ListenerGeneration> all() {
        List<ListenerGeneration> all = new ArrayList<>(earlier);
        all.add(generation.get());
        return all;
    }
}
