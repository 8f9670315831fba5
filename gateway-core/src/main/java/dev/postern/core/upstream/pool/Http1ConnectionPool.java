package dev.postern.core.upstream.pool;

import dev.postern.core.http.Refusal;
import dev.postern.core.upstream.connect.Connector;
import dev.postern.core.upstream.connect.ProxyProtocolEncoder;
import dev.postern.core.upstream.connect.ProxyProtocolSource;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.EndpointSelector;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Pool of the HTTP/1.1 connections of one event loop to the endpoints of one upstream. The newest idle connection is leased first, so that
 * surplus connections reach the idle timeout and are closed.
 */
public final class Http1ConnectionPool implements ConnectionPool {

    private final PoolState state;
    private final Connector connector;
    private final EventLoop loop;
    private final EndpointSelector selector;
    private final Connector.Place place;
    private final IdleConnections idle = new IdleConnections();
    private final PendingConnects connects = new PendingConnects();
    private final AcquireQueue queue;
    private boolean sweeping;

    public Http1ConnectionPool(PoolState state, Connector connector, EventLoop loop) {
        this.state = state;
        this.connector = connector;
        this.loop = loop;
        this.queue = new AcquireQueue(state, loop, this::leave);
        this.selector = new EndpointSelector(state.settings(), System.identityHashCode(this));
        this.place =
                new Connector.Place("upstream " + state.name(), state.settings().sockets());
    }

    @Override
    public void acquire(Waiter waiter, @Nullable Endpoint avoid, long now) {
        Endpoint endpoint = selector.choose(state.endpoints(), waiter.key(), now, avoid);
        Http1PooledConnection found = waiter.fresh() ? null : pollIdle(endpoint, waiter.source(), now);
        if (found != null) {
            lend(found, waiter, now);
        } else if (connects.takeOver(endpoint, waiter)) {
            queue.bound(waiter); // the waiter acquires that connection when it is open
        } else if (state.permits().tryAcquire()) {
            connect(connects.begin(endpoint, waiter));
        } else {
            queue.add(waiter);
        }
    }

    @Override
    public void leave(Waiter waiter) {
        queue.remove(waiter);
        connects.leave(waiter);
    }

    private void lend(Http1PooledConnection connection, Waiter waiter, long now) {
        queue.over(waiter);
        connection.lend();
        state.stats().request(connection.reused());
        waiter.acquired(connection, now);
    }

    private @Nullable Http1PooledConnection pollIdle(
            Endpoint endpoint, @Nullable ProxyProtocolSource source, long now) {
        for (Http1PooledConnection next = idle.poll(endpoint, source);
                next != null;
                next = idle.poll(endpoint, source)) {
            if (next.channel().isActive() && !expired(next, now)) {
                return next;
            }
            next.stream().close();
        }
        return null;
    }

    private void connect(PendingConnects.Dial dial) {
        ChannelFuture connecting = connector.connect(
                loop,
                dial.endpoint().address(),
                state.settings().timeouts().connect(),
                place,
                false,
                ProxyProtocolEncoder.of(state.settings().proxyProtocol(), dial.source()));
        connecting.addListener(done -> {
            if (done.isSuccess()) {
                connected(connecting.channel(), dial);
            } else {
                failed(dial, Connector.why(done.cause()));
            }
        });
    }

    private void failed(PendingConnects.Dial dial, Refusal refusal) {
        state.failed(dial.endpoint(), refusal);
        Waiter waiter = connects.over(dial);
        if (waiter != null && dial.takenOver() && refusal == Refusal.UPSTREAM_CONNECT_TIMEOUT) {
            // This connect timeout belonged to the previous waiter: connect again with the same permit.
            connect(connects.begin(dial.endpoint(), waiter));
            return;
        }
        state.permits().release();
        if (waiter != null) {
            queue.over(waiter);
            waiter.refused(refusal, dial.endpoint());
        }
    }

    private void connected(Channel channel, PendingConnects.Dial dial) {
        state.stats().connect(true);
        long now = System.nanoTime();
        Http1PooledConnection connection =
                new Http1PooledConnection(this, dial.endpoint(), dial.source(), channel, now);
        connection.wire(connector.protocol().apply(channel, connection));
        Waiter waiter = connects.over(dial);
        if (waiter != null && waiter.wants()) {
            lend(connection, waiter, now);
        } else {
            connection.lend();
            connection.unused();
        }
    }

    /** Takes a connection back after its exchange. */
    void free(Http1PooledConnection connection, boolean reusable, long now) {
        if (!reusable
                || !state.settings().pool().keepAlive()
                || connection.endpoint().retired()
                || expired(connection, now)) {
            connection.stream().close();
            return;
        }
        if (connection.source() != null && state.permits().contended()) {
            connection.stream().close(); // bound to one client; waiters of other clients can use its permit
            return;
        }
        Waiter first = queue.first();
        if (first != null && first.fresh()) {
            connection.stream().close(); // this waiter accepts no reused connection and needs the permit
            return;
        }
        Waiter next = queue.next();
        if (next != null) {
            lend(connection, next, now);
            return;
        }
        idle.add(connection);
        // Checked after the idle count is updated: a waiter that joins on another loop reads the count, or is seen
        // here.
        if (state.permits().contended()) {
            closeOldest();
        }
        sweepLater();
    }

    void keptFor(long seconds) {
        state.keepsFor(seconds, System.nanoTime());
    }

    void gone(Http1PooledConnection connection) {
        if (idle.remove(connection)) {
            long now = System.nanoTime();
            state.closedIdle(
                    now - connection.idleSince(),
                    now); // closed by the upstream: the pool removes a connection before closing it
        }
        state.permits().release();
    }

    @Override
    public void permitWanted() {
        if (idle.size() > 0) {
            loop.execute(this::closeOldest);
        }
    }

    @Override
    public void permitReturned() {
        loop.execute(() -> {
            while (!queue.isEmpty() && state.permits().tryAcquire()) {
                Waiter next = queue.next();
                if (next == null) {
                    state.permits().release();
                    return;
                }
                long now = System.nanoTime();
                Endpoint endpoint = selector.choose(state.endpoints(), next.key(), now, null);
                connect(connects.begin(endpoint, next));
            }
        });
    }

    @Override
    public void endpointsGone() {
        loop.execute(() -> idle.removeOldest(
                connection -> connection.endpoint().retired(),
                connection -> connection.stream().close()));
    }

    @Override
    public int idle() {
        return idle.size();
    }

    private void closeOldest() {
        Http1PooledConnection oldest = idle.pollOldest();
        if (oldest != null) {
            oldest.stream().close();
        }
    }

    private boolean expired(Http1PooledConnection connection, long now) {
        UpstreamSettings.Pool limits = state.settings().pool();
        long life = limits.life().toNanos();
        return (limits.requests() > 0 && connection.served() >= limits.requests())
                || (life > 0 && now - connection.born() >= life)
                || now - connection.idleSince() >= state.idleNanos(now);
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
        idle.removeOldest(
                connection -> expired(connection, now),
                connection -> connection.stream().close());
        if (idle.size() > 0) {
            sweepLater();
        }
    }
}
