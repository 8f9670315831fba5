package dev.postern.core.upstream.pool;

import dev.postern.core.upstream.connect.ChannelOpener;
import dev.postern.core.upstream.connect.ProxyProtocolSource;
import dev.postern.core.upstream.connect.UpstreamStream;
import dev.postern.core.upstream.endpoint.Endpoint;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Pool of the HTTP/1.1 connections of one event loop to the endpoints of one upstream. The newest idle connection is leased first, so that
 * surplus connections reach the idle timeout and are closed.
 */
public final class Http1ConnectionPool extends AbstractConnectionPool<Http1PooledConnection> {

    private final BiFunction<Channel, UpstreamStream.Owner, UpstreamStream> protocol;
    private final EventLoop loop;
    private final IdleConnections idle = new IdleConnections();

    /** @param protocol adds HTTP/1.1 to a new channel's pipeline */
    public Http1ConnectionPool(
            PoolState state,
            ChannelOpener opener,
            BiFunction<Channel, UpstreamStream.Owner, UpstreamStream> protocol,
            EventLoop loop) {
        super(state, opener, loop, 1);
        this.protocol = protocol;
        this.loop = loop;
    }

    @Override
    @Nullable
    Http1PooledConnection poll(Endpoint endpoint, Waiter waiter, long now) {
        if (waiter.fresh()) {
            return null;
        }
        ProxyProtocolSource source = waiter.source();
        for (Http1PooledConnection next = idle.poll(endpoint, source);
                next != null;
                next = idle.poll(endpoint, source)) {
            if (next.isActive() && !expired(next, now) && !stale(next, waiter)) {
                return next;
            }
            closeLater(next);
        }
        return null;
    }

    /**
     * Closes a connection after the events of this turn of the loop, the end of the connection perhaps among them: a socket that is opened
     * before then would get the same descriptor, and that event.
     */
    private void closeLater(Http1PooledConnection connection) {
        loop.execute(connection::close);
    }

    private boolean stale(Http1PooledConnection connection, Waiter waiter) {
        boolean stale = waiter.unrepeatable() && connection.ended();
        if (stale) {
            closedByUpstream(connection);
        }
        return stale;
    }

    @Override
    void connected(Channel channel, PendingConnects.PendingConnect connect, long end) {
        long now = now();
        Http1PooledConnection connection =
                new Http1PooledConnection(this, connect.endpoint(), connect.source(), channel, now);
        connection.stream(protocol.apply(channel, connection));
        for (Waiter waiter : opened(connect)) {
            if (waiter.active()) {
                lease(connection, waiter, now);
                return;
            }
        }
        connection.lease();
        connection.unused();
    }

    /** Takes a connection back after its exchange. */
    void free(Http1PooledConnection connection, boolean reusable, long now) {
        if (!reusable
                || !state.settings().pool().keepAlive()
                || connection.endpoint().retired()
                || expired(connection, now)) {
            connection.close();
            return;
        }
        if (connection.source() != null && state.permits().contended()) {
            connection.close(); // bound to one client; waiters of other clients can use its permit
            return;
        }
        Waiter first = queue.first();
        if (first != null && first.fresh()) {
            connection.close(); // this waiter accepts no reused connection and needs the permit
            return;
        }
        if (first != null && first.unrepeatable() && connection.ended()) {
            closeLater(connection);
            return;
        }
        Waiter next = queue.next();
        if (next != null) {
            lease(connection, next, now);
            return;
        }
        idle.add(connection);
        // Checked after the idle count is updated: a waiter that joins on another loop reads the count, or is seen
        // here.
        if (state.permits().contended()) {
            closeIdle();
        }
        sweepLater();
    }

    @Override
    boolean remove(Http1PooledConnection connection) {
        return idle.remove(connection);
    }

    @Override
    void closeIf(Predicate<Http1PooledConnection> predicate) {
        idle.removeOldest(predicate, Http1PooledConnection::close);
    }

    @Override
    void closeIdle() {
        Http1PooledConnection oldest = idle.pollOldest();
        if (oldest != null) {
            oldest.close();
        }
    }

    @Override
    boolean shared() {
        return true;
    }

    @Override
    public int idle() {
        return idle.size();
    }
}
