package dev.postern.core.upstream.pool;

import dev.postern.core.upstream.connect.ChannelOpener;
import dev.postern.core.upstream.connect.UpstreamConnection;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Pool of the HTTP/2 connections of one event loop to the endpoints of one upstream; each lease is one stream. The oldest connection with a
 * free stream is used first, so that surplus connections become idle and are closed. Exchanges that arrive while a connection is being
 * opened wait for that connection, up to its stream limit: a burst at the start must not open one connection per exchange.
 */
public final class Http2ConnectionPool extends AbstractConnectionPool<Http2PooledConnection> {

    private final UpstreamConnection.Factory multiplexing;
    private final UpstreamConnection.Terms terms;
    private final Map<Endpoint, List<Http2PooledConnection>> open = new HashMap<>();
    private volatile int idleCount;

    public Http2ConnectionPool(
            PoolState state, ChannelOpener opener, UpstreamConnection.Factory multiplexing, EventLoop loop) {
        super(state, opener, loop, streams(state.settings().pool()));
        this.multiplexing = multiplexing;
        this.terms = new UpstreamConnection.Terms(
                state.name(),
                streams(state.settings().pool()),
                state.settings().timeouts().connect(),
                state.settings().timeouts().idle());
    }

    /** Returns how many exchanges one connection carries at once; never more than it may serve in all. */
    private static int streams(UpstreamSettings.Pool pool) {
        if (!pool.keepAlive()) {
            return 1;
        }
        return pool.requests() > 0 ? Math.min(pool.maxStreams(), pool.requests()) : pool.maxStreams();
    }

    private static boolean lively(Http2PooledConnection connection) {
        return !connection.stalled();
    }

    private static boolean livelyAndBusy(Http2PooledConnection connection) {
        return connection.leases() > 0 && lively(connection);
    }

    /**
     * Returns the first connection with a free stream that is not stalled; a fresh waiter gets one with leased streams, which is known to be
     * alive.
     */
    @Override
    @Nullable
    Http2PooledConnection poll(Endpoint endpoint, Waiter waiter, long now) {
        return withRoom(
                endpoint, now, waiter.fresh() ? Http2ConnectionPool::livelyAndBusy : Http2ConnectionPool::lively);
    }

    @Override
    @Nullable
    Http2PooledConnection pollAny(long now) {
        for (Endpoint endpoint : List.copyOf(open.keySet())) {
            Http2PooledConnection found = withRoom(endpoint, now, connection -> true);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable Http2PooledConnection withRoom(
            Endpoint endpoint, long now, Predicate<Http2PooledConnection> suitable) {
        List<Http2PooledConnection> connections = open.get(endpoint);
        for (int i = 0; connections != null && i < connections.size(); i++) {
            Http2PooledConnection connection = connections.get(i);
            if (expired(connection, now)) {
                retire(connection);
                i--;
            } else if (connection.room() > 0 && suitable.test(connection)) {
                return connection;
            }
        }
        return null;
    }

    // ---- connecting

    @Override
    void connected(Channel channel, PendingConnects.PendingConnect connect, long end) {
        long now = now();
        new Http2PooledConnection(this, connect, now).open(channel, multiplexing, terms, Math.max(1, end - now));
    }

    /** Leases streams of a connection that is ready now. */
    void ready(Http2PooledConnection connection, PendingConnects.PendingConnect connect) {
        open.computeIfAbsent(connection.endpoint(), e -> new ArrayList<>()).add(connection);
        countIdle(1);
        for (Waiter next : opened(connect)) {
            if (!next.active()) {
                continue;
            }
            if (takesMore(connection)) {
                lease(connection, next, now());
            } else {
                acquire(next, null, now()); // the endpoint allows fewer streams than expected
            }
        }
        serve(connection);
        rest(connection);
    }

    // ---- leasing

    /** Takes back a stream after its exchange. */
    void over(Http2PooledConnection connection) {
        if (connection.retired()) {
            if (connection.leases() == 0) {
                connection.close();
            }
            return;
        }
        if (connection.leases() == 0) {
            countIdle(1);
        }
        if (connection.endpoint().retired() || expired(connection, now())) {
            retire(connection);
        } else {
            serve(connection);
            rest(connection);
        }
    }

    /** Serves waiters with the free streams of the connection. */
    void serve(Http2PooledConnection connection) {
        while (takesMore(connection)) {
            Waiter next = queue.next();
            if (next == null) {
                return;
            }
            lease(connection, next, now());
        }
    }

    private boolean takesMore(Http2PooledConnection connection) {
        return connection.room() > 0 && !spent(connection);
    }

    /** Retires or keeps a connection that may be idle now. */
    private void rest(Http2PooledConnection connection) {
        if (connection.retired() || connection.leases() > 0) {
            return;
        }
        if (connection.endpoint().retired() || state.permits().contended()) {
            retire(connection); // no exchange will use it, or other loops wait for its permit
        } else {
            sweepLater();
        }
    }

    // ---- closing

    @Override
    boolean remove(Http2PooledConnection connection) {
        if (!connection.retire()) {
            return false;
        }
        List<Http2PooledConnection> connections = open.get(connection.endpoint());
        if (connections != null) {
            connections.remove(connection);
        }
        boolean idle = connection.leases() == 0;
        if (idle) {
            countIdle(-1);
        }
        return idle;
    }

    /** Retires the connection: it gets no new exchanges, and is closed when its last exchange is over. */
    void retire(Http2PooledConnection connection) {
        if (remove(connection)) {
            connection.close();
        }
    }

    /** Retires a connection whose endpoint announced that it will close it. */
    void leaving(Http2PooledConnection connection) {
        if (remove(connection)) {
            closedByUpstream(connection);
            connection.close();
        }
    }

    @Override
    void closeIf(Predicate<Http2PooledConnection> predicate) {
        all().stream().filter(predicate).forEach(this::retire);
        open.keySet().removeIf(Endpoint::retired);
    }

    @Override
    void closeIdle() {
        all().stream()
                .filter(connection -> connection.leases() == 0)
                .findFirst()
                .ifPresent(this::retire);
    }

    private List<Http2PooledConnection> all() {
        return open.values().stream().flatMap(Collection::stream).toList();
    }

    @Override
    boolean shared() {
        return false; // a stream serves the loop of its connection
    }

    @Override
    public int idle() {
        return idleCount;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only the event loop writes the field; others read
    void countIdle(int amount) {
        idleCount = idleCount + amount;
    }
}
