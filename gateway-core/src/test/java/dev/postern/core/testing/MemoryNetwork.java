package dev.postern.core.testing;

import dev.postern.core.upstream.connect.ChannelOpener;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Connections in memory, whose events happen in a fixed order and whose time the test moves. Every connect to an endpoint succeeds soon. */
final class MemoryNetwork implements ChannelOpener, AutoCloseable {

    /** Address of the gateway. */
    static final InetSocketAddress HERE = new InetSocketAddress("127.0.0.1", 80);

    private static final Duration STEP = Duration.ofSeconds(1);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final List<MemorySocket> sockets = new ArrayList<>();
    private final Queue<Socket> connected = new ArrayDeque<>();
    private final MemorySocket shared = new MemorySocket(ticker, null, null, false);
    private @Nullable MemoryOrigin origin;
    private boolean running;

    MemoryNetwork() {
        sockets.add(shared);
    }

    Ticker ticker() {
        return ticker;
    }

    /** Opens a connection of a client with that address, and returns the client's end. */
    Socket connect(InetSocketAddress from, Consumer<MemorySocket> accept) {
        MemorySocket socket = new MemorySocket(ticker, shared, from, true);
        accept.accept(socket);
        return peer(socket);
    }

    @Override
    public ChannelFuture open(EventLoop loop, SocketAddress address, Duration timeout, ChannelHandler handler) {
        MemorySocket socket = new MemorySocket(ticker, shared, null, false);
        socket.pipeline().addLast(handler);
        return open(loop, socket);
    }

    /** Opens a connection to a destination, to whose pipeline the gateway adds its handlers later. */
    ChannelFuture open(EventLoop loop, boolean halfClosure) {
        return open(loop, new MemorySocket(ticker, shared, null, halfClosure));
    }

    /** As with a socket, the connection is open in a later turn of the loop. */
    private ChannelFuture open(EventLoop loop, MemorySocket socket) {
        if (origin == null) {
            connected.add(peer(socket));
        } else {
            origin.accept(peer(socket));
        }
        ChannelPromise open = socket.newPromise();
        loop.execute(open::trySuccess);
        return open;
    }

    private Socket peer(MemorySocket socket) {
        sockets.add(socket);
        return new MemoryPeer(socket, this::run);
    }

    /** Lets an origin serve all connections from now on. */
    void serve(MemoryOrigin server) {
        origin = server;
    }

    /** Returns the server's end of the next connection that the gateway has opened; fails without one. */
    Socket accept() {
        run();
        Socket next = connected.poll();
        if (next == null) {
            throw new IllegalStateException("no connection came");
        }
        return next;
    }

    boolean connects() {
        run();
        return !connected.isEmpty();
    }

    /** Returns the bytes that the peers of the gateway have sent and it has not read. */
    int unread() {
        run();
        return sockets.stream().mapToInt(MemorySocket::unread).sum();
    }

    /** Lets the gateway handle all that has happened. */
    void run() {
        if (running) {
            return; // within an event
        }
        running = true;
        try {
            boolean progress = true;
            while (progress) {
                progress = false;
                for (MemorySocket socket : List.copyOf(sockets)) {
                    progress |= socket.step();
                }
                progress |= origin != null && origin.serve();
            }
        } finally {
            running = false;
        }
    }

    /** Moves the time in steps of a second at most, and lets the gateway do what becomes due. */
    void pass(Duration time) {
        run();
        for (Duration left = time; left.compareTo(Duration.ZERO) > 0; left = left.minus(STEP)) {
            Duration step = left.compareTo(STEP) < 0 ? left : STEP;
            ticker.advance(step.toNanos(), TimeUnit.NANOSECONDS);
            for (MemorySocket socket : List.copyOf(sockets)) {
                socket.runScheduledPendingTasks();
            }
            run();
        }
    }

    @Override
    public void close() {
        for (MemorySocket socket : List.copyOf(sockets)) {
            socket.finishAndReleaseAll();
        }
    }
}
