package dev.postern.core.testing;

import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.transport.Transport;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Transport in memory: listeners and connections without sockets, on event loops whose time the test moves. Unlike {@link MemoryNetwork} its
 * loops have threads, as a whole gateway expects; what the test does waits until they have nothing left to do.
 */
public final class MemoryTransport {

    private static final int FIRST_PORT = 20_000;
    private static final Duration STEP = Duration.ofSeconds(1);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final List<MemoryLoop> loops = new CopyOnWriteArrayList<>();
    private final Map<InetSocketAddress, MemoryListener> listeners = new ConcurrentHashMap<>();
    private final Map<InetSocketAddress, MemoryOrigin> origins = new ConcurrentHashMap<>();
    private final Map<InetSocketAddress, Queue<Socket>> accepting = new ConcurrentHashMap<>();
    private final Set<InetSocketAddress> silent = ConcurrentHashMap.newKeySet();
    private final AtomicInteger ports = new AtomicInteger(FIRST_PORT);

    /** Returns the transport for a gateway; it has one event loop, whatever number is configured. */
    public Transport open() {
        return new Transport(
                "memory",
                "a test wants it",
                (count, threads) -> {
                    MemoryLoop loop = new MemoryLoop(this, threads);
                    loops.add(loop);
                    return loop;
                },
                MemoryListener.class,
                MemoryConnection.class,
                NioDatagramChannel.class,
                null);
    }

    public Ticker ticker() {
        return ticker;
    }

    // ---- what the channels need

    InetSocketAddress bind(InetSocketAddress wanted, MemoryListener listener) throws BindException {
        InetSocketAddress address =
                wanted.getPort() == 0 ? new InetSocketAddress(wanted.getAddress(), ports.getAndIncrement()) : wanted;
        if (listeners.putIfAbsent(address, listener) != null) {
            throw new BindException("Address already in use");
        }
        return address;
    }

    void unbind(InetSocketAddress address) {
        listeners.remove(address);
    }

    InetSocketAddress ephemeral() {
        return new InetSocketAddress("127.0.0.1", ports.getAndIncrement());
    }

    boolean silent(InetSocketAddress address) {
        return silent.contains(address);
    }

    /** Connects the gateway to an address; false when nothing listens there. */
    boolean connected(InetSocketAddress address, MemoryConnection connection) {
        MemoryPeer server = new MemoryPeer(connection, this::settle);
        Queue<Socket> opened = accepting.get(address);
        if (opened != null) {
            opened.add(server);
            return true;
        }
        MemoryOrigin origin = origins.get(address);
        if (origin == null) {
            return false;
        }
        origin.accept(server);
        connection.reader(() -> {
            origin.serve();
            if (connection.ended()) {
                server.close();
            }
        });
        return true;
    }

    // ---- what a test does

    /** Opens an origin at an address. */
    public MemoryOrigin origin(InetSocketAddress address) {
        MemoryOrigin origin = new MemoryOrigin();
        origins.put(address, origin);
        return origin;
    }

    /** Ends the origin at an address: its connections close, and later ones are refused. */
    public void close(InetSocketAddress address) {
        Objects.requireNonNull(origins.remove(address)).closeConnections();
        settle();
    }

    /** Lets the test accept the connections to an address. */
    public void listen(InetSocketAddress address) {
        accepting.put(address, new ConcurrentLinkedQueue<>());
    }

    /** Accepts the next connection to an address; fails without one. */
    public Line accept(InetSocketAddress address) {
        settle();
        return Line.over(Objects.requireNonNull(accepting.get(address)).remove());
    }

    /** Lets an address answer no connect. */
    public void silence(InetSocketAddress address) {
        silent.add(address);
    }

    /**
     * Connects a client.
     *
     * @param from its address
     */
    public Socket connect(String from, InetSocketAddress listener) throws ConnectException {
        MemoryListener listening = listeners.get(listener);
        if (listening == null) {
            throw new ConnectException("Connection refused");
        }
        MemoryConnection client =
                new MemoryConnection(listening, listener, new InetSocketAddress(from, ports.getAndIncrement()));
        listening.connect(client);
        settle();
        return new MemoryPeer(client, this::settle);
    }

    /** Waits until the event loops have nothing to do until time passes. On an event loop it does nothing. */
    public void settle() {
        if (loops.stream().anyMatch(MemoryLoop::inEventLoop)) {
            return;
        }
        int quiet = 0; // a loop may give work to one that was asked before
        while (quiet <= loops.size()) {
            quiet = loops.stream().filter(MemoryLoop::turn).count() > 0 ? 0 : quiet + 1;
        }
    }

    /** Moves the time in steps of a second at most, and lets the gateway do what becomes due. */
    public void pass(Duration time) {
        settle();
        for (Duration left = time; left.compareTo(Duration.ZERO) > 0; left = left.minus(STEP)) {
            Duration step = left.compareTo(STEP) < 0 ? left : STEP;
            ticker.advance(step.toNanos(), TimeUnit.NANOSECONDS);
            settle();
        }
    }
}
