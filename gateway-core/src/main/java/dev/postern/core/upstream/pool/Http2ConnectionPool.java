package dev.postern.core.upstream.pool;

import dev.postern.core.http.Refusal;
import dev.postern.core.upstream.connect.Connector;
import dev.postern.core.upstream.connect.UpstreamConnection;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.EndpointSelector;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Pool of the HTTP/2 connections of one event loop to the endpoints of one upstream; each lease is one stream. The oldest connection with a
 * free stream is used first, so that surplus connections become idle and are closed. Exchanges that arrive while a connection is being
 * opened wait for that connection, up to its stream limit: a burst at the start must not open one connection per exchange.
 */
public final class Http2ConnectionPool implements ConnectionPool {

    private final PoolState state;
    private final Connector connector;
    private final UpstreamConnection.Factory links;
    private final UpstreamConnection.Terms terms;
    private final EventLoop loop;
    private final EndpointSelector selector;
    private final Connector.Place place;
    private final Map<Endpoint, List<Http2PooledConnection>> standing = new HashMap<>();
    private final List<Http2PooledConnection> opening = new ArrayList<>();
    private final AcquireQueue queue;
    private volatile int idleCount;
    private boolean sweeping;

    public Http2ConnectionPool(PoolState state, Connector connector, UpstreamConnection.Factory links, EventLoop loop) {
        UpstreamSettings settings = state.settings();
        this.state = state;
        this.connector = connector;
        this.links = links;
        this.loop = loop;
        this.queue = new AcquireQueue(state, loop, this::leave);
        this.selector = new EndpointSelector(settings, System.identityHashCode(this));
        this.place = new Connector.Place("upstream " + state.name(), settings.sockets());
        int streams = settings.pool().keepAlive() ? settings.pool().maxStreams() : 1;
        this.terms = new UpstreamConnection.Terms(
                state.name(), streams, settings.timeouts().connect());
    }

    @Override
    public void acquire(Waiter waiter, @Nullable Endpoint avoid, long now) {
        Endpoint endpoint = selector.choose(state.endpoints(), waiter.key(), now, avoid);
        Http2PooledConnection found = withRoom(endpoint, waiter.fresh(), now);
        if (found != null) {
            lend(found, waiter, now);
        } else if (!expect(endpoint, waiter)) {
            Http2PooledConnection other = anyWithRoom(now);
            if (other != null) {
                lend(other, waiter, now);
            } else {
                queue.add(waiter);
            }
        }
    }

    @Override
    public void leave(Waiter waiter) {
        queue.remove(waiter);
        opening.forEach(one -> one.leave(waiter));
    }

    /** Lets the waiter wait for a connection that is being opened, or opens one; false when no permit is left. */
    private boolean expect(Endpoint endpoint, Waiter waiter) {
        for (Http2PooledConnection one : opening) {
            if (one.endpoint() == endpoint && one.expect(waiter, terms.streams())) {
                queue.bound(waiter);
                return true;
            }
        }
        if (!state.permits().tryAcquire()) {
            return false;
        }
        Http2PooledConnection next = new Http2PooledConnection(this, endpoint, System.nanoTime());
        next.expect(waiter, terms.streams());
        opening.add(next);
        dial(next);
        return true;
    }

    /** @param fresh only a connection with leased streams, which is thus known to be alive */
    private @Nullable Http2PooledConnection withRoom(Endpoint endpoint, boolean fresh, long now) {
        List<Http2PooledConnection> items = standing.get(endpoint);
        for (int i = 0; items != null && i < items.size(); i++) {
            Http2PooledConnection one = items.get(i);
            if (expired(one, now)) {
                retire(one);
                i--;
            } else if (one.room() > 0 && !(fresh && one.lent() == 0)) {
                return one;
            }
        }
        return null;
    }

    private @Nullable Http2PooledConnection anyWithRoom(long now) {
        for (Endpoint endpoint : List.copyOf(standing.keySet())) {
            Http2PooledConnection found = withRoom(endpoint, false, now);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private void lend(Http2PooledConnection connection, Waiter waiter, long now) {
        if (connection.lent() == 0) {
            countIdle(-1);
        }
        queue.over(waiter);
        Http2PooledConnection.Lease lease = connection.lend();
        state.stats().request(lease.reused());
        waiter.acquired(lease, now);
    }

    // ---- connecting

    private void dial(Http2PooledConnection next) {
        Duration most = state.settings().timeouts().connect();
        long end = System.nanoTime() + most.toNanos();
        ChannelFuture connecting =
                connector.connect(loop, next.endpoint().address(), most, place, false, new ChannelHandlerAdapter() {});
        connecting.addListener(done -> {
            if (done.isSuccess()) {
                Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
                next.open(connecting.channel(), links, terms, left);
            } else {
                failed(next, Connector.why(done.cause()));
            }
        });
    }

    /** Refuses the waiters of a connection that failed before it was ready. */
    void failed(Http2PooledConnection connection, Refusal refusal) {
        opening.remove(connection);
        state.failed(connection.endpoint(), refusal);
        state.permits().release();
        for (Waiter waiter : connection.expected()) {
            queue.over(waiter);
            waiter.refused(refusal, connection.endpoint());
        }
    }

    /** Leases streams of a connection that is ready now. */
    void ready(Http2PooledConnection connection) {
        opening.remove(connection);
        state.stats().connect(true);
        standing.computeIfAbsent(connection.endpoint(), e -> new ArrayList<>()).add(connection);
        countIdle(1);
        for (Waiter next : connection.expected()) {
            if (!next.wants()) {
                continue;
            }
            if (connection.room() > 0) {
                lend(connection, next, System.nanoTime());
            } else {
                acquire(next, null, System.nanoTime()); // the endpoint allows fewer streams than expected
            }
        }
        serve(connection);
        rest(connection);
    }

    // ---- leasing

    /** Takes back a stream after its exchange. */
    void over(Http2PooledConnection connection) {
        if (connection.retired()) {
            if (connection.lent() == 0) {
                connection.close();
            }
            return;
        }
        if (connection.lent() == 0) {
            countIdle(1);
        }
        long now = System.nanoTime();
        if (connection.endpoint().retired() || expired(connection, now)) {
            retire(connection);
        } else {
            serve(connection);
            rest(connection);
        }
    }

    /** Serves waiters after the endpoint allowed more concurrent streams. */
    void changed(Http2PooledConnection connection) {
        if (!connection.retired()) {
            serve(connection);
        }
    }

    private void serve(Http2PooledConnection connection) {
        while (connection.room() > 0) {
            Waiter next = queue.next();
            if (next == null) {
                return;
            }
            lend(connection, next, System.nanoTime());
        }
    }

    /** Retires or keeps a connection that may be idle now. */
    private void rest(Http2PooledConnection connection) {
        if (connection.retired() || connection.lent() > 0) {
            return;
        }
        if (state.permits().contended()) {
            retire(connection); // other loops wait for its permit
        } else {
            sweepLater();
        }
    }

    private boolean expired(Http2PooledConnection connection, long now) {
        UpstreamSettings.Pool limits = state.settings().pool();
        long life = limits.life().toNanos();
        int most = limits.keepAlive() ? limits.requests() : 1;
        return (most > 0 && connection.served() >= most)
                || (life > 0 && now - connection.born() >= life)
                || (connection.lent() == 0 && now - connection.idleSince() >= state.idleNanos(now));
    }

    // ---- closing

    /** Retires the connection: it gets no new exchanges, and is closed when its last exchange is over. */
    private void retire(Http2PooledConnection connection) {
        if (connection.retire()) {
            List<Http2PooledConnection> items = standing.get(connection.endpoint());
            if (items != null) {
                items.remove(connection);
            }
            if (connection.lent() == 0) {
                countIdle(-1);
                connection.close();
            }
        }
    }

    /** Retires a connection whose endpoint announced that it will close it. */
    void leaving(Http2PooledConnection connection) {
        if (!connection.retired() && connection.lent() == 0) {
            closedIdle(connection);
        }
        retire(connection);
    }

    void gone(Http2PooledConnection connection) {
        if (connection.retire()) {
            List<Http2PooledConnection> items = standing.get(connection.endpoint());
            if (items != null) {
                items.remove(connection);
            }
            if (connection.lent() == 0) {
                countIdle(-1);
                closedIdle(connection);
            }
        }
        state.permits().release();
    }

    private void closedIdle(Http2PooledConnection connection) {
        long now = System.nanoTime();
        state.closedIdle(now - connection.idleSince(), now);
    }

    @Override
    public void permitWanted() {
        if (idleCount > 0) {
            loop.execute(() -> {
                for (Http2PooledConnection one : all()) {
                    if (one.lent() == 0) {
                        retire(one);
                        return;
                    }
                }
            });
        }
    }

    @Override
    public void permitReturned() {
        loop.execute(() -> {
            for (Waiter next = queue.first(); next != null; next = queue.first()) {
                if (!expect(selector.choose(state.endpoints(), next.key(), System.nanoTime(), null), next)) {
                    return;
                }
                queue.next(); // the waiter now waits for a connection that is being opened
            }
        });
    }

    @Override
    public void endpointsGone() {
        loop.execute(() -> {
            all().stream().filter(one -> one.endpoint().retired()).forEach(this::retire);
            standing.keySet().removeIf(Endpoint::retired);
        });
    }

    private List<Http2PooledConnection> all() {
        return standing.values().stream().flatMap(Collection::stream).toList();
    }

    @Override
    public int idle() {
        return idleCount;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only the event loop writes the field; others read
    private void countIdle(int amount) {
        idleCount = idleCount + amount;
    }

    private void sweepLater() {
        if (!sweeping) {
            sweeping = true;
            loop.schedule(this::sweep, 1, TimeUnit.SECONDS);
        }
    }

    private void sweep() {
        sweeping = false;
        long now = System.nanoTime();
        boolean some = false;
        for (Http2PooledConnection one : all()) {
            if (one.lent() == 0 && expired(one, now)) {
                retire(one);
            } else {
                some |= one.lent() == 0;
            }
        }
        if (some) {
            sweepLater();
        }
    }
}
