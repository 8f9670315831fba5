package dev.postern.core.server;

import dev.postern.core.connection.ConnectionHandlers;
import dev.postern.core.transport.loop.AtomicSnapshot;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * One socket that listens, the terms that hold there now, and the earlier ones under which clients are still connected. Thread-safe; changed
 * by one thread at a time.
 */
final class BoundListener {

    private final Channel channel;
    private final List<ListenerGeneration> earlier = new CopyOnWriteArrayList<>();
    private final AtomicSnapshot<ListenerGeneration> terms;

    /** @param terms read by those who accept; changed here only */
    BoundListener(Channel channel, AtomicSnapshot<ListenerGeneration> terms) {
        this.channel = channel;
        this.terms = terms;
    }

    ListenerSettings settings() {
        return terms.get().settings();
    }

    InetSocketAddress bound() {
        return (InetSocketAddress) channel.localAddress();
    }

    void accept(ConnectionHandlers handlers) {
        handlers.accept(channel);
    }

    /** Whether clients that want to connect by these settings can do so here. */
    boolean serves(ListenerSettings wanted) {
        ListenerSettings now = settings();
        boolean sameName = now.listener().name().equals(wanted.listener().name());
        // Of those that take any free port, each is another one.
        return now.address().equals(wanted.address()) && (wanted.address().getPort() != 0 || sameName);
    }

    /** Who connects from now on gets these terms. Clients of others than these are asked to go, except when only bounds differ. */
    void change(ListenerSettings wanted) {
        if (settings().equals(wanted)) {
            return;
        }
        earlier.removeIf(one -> one.clients().isEmpty());
        earlier.add(terms.exchange(ListenerGeneration.of(wanted)));
        earlier.stream().filter(one -> !one.suits(wanted)).forEach(ListenerGeneration::ask);
    }

    /** Accepts nobody any more. */
    void close() {
        channel.close().awaitUninterruptibly();
    }

    /** The terms of all clients that are connected. */
    List<ListenerGeneration> all() {
        List<ListenerGeneration> all = new ArrayList<>(earlier);
        all.add(terms.get());
        return all;
    }
}
