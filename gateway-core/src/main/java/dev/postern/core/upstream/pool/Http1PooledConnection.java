package dev.postern.core.upstream.pool;

import dev.postern.core.upstream.connect.ProxyProtocolSource;
import dev.postern.core.upstream.connect.UpstreamStream;
import dev.postern.core.upstream.endpoint.Endpoint;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** HTTP/1.1 connection in the pool, and the lease of its one stream. Event loop only. */
final class Http1PooledConnection extends PooledConnection implements PooledLease, UpstreamStream.Owner {

    private final Http1ConnectionPool pool;
    private final @Nullable ProxyProtocolSource source;
    private final Channel channel;
    private final Holders.Holding holding = new Holders.Holding();
    private @Nullable UpstreamStream stream;

    /** @param source the only client that the connection serves, or null */
    Http1PooledConnection(
            Http1ConnectionPool pool,
            Endpoint endpoint,
            @Nullable ProxyProtocolSource source,
            Channel channel,
            long now) {
        super(endpoint, now);
        this.pool = pool;
        this.source = source;
        this.channel = channel;
    }

    void stream(UpstreamStream protocol) {
        stream = protocol;
    }

    @Override
    public UpstreamStream stream() {
        UpstreamStream set = stream;
        if (set == null) {
            throw new IllegalStateException("stream: none (expected: set when connected)");
        }
        return set;
    }

    @Override
    public boolean reused() {
        return served() > 1;
    }

    boolean isActive() {
        return channel.isActive();
    }

    /** Returns whether the upstream has ended the connection, though the event loop has not handled that yet. */
    boolean ended() {
        return stream().ended();
    }

    @Nullable
    ProxyProtocolSource source() {
        return source;
    }

    @Override
    PooledLease lease() {
        begun();
        return this;
    }

    @Override
    public Holders.Holding holding() {
        return holding;
    }

    @Override
    void close() {
        stream().close();
    }

    @Override
    public void free(boolean reusable) {
        long now = pool.now();
        over(now);
        pool.holders.remove(holding);
        pool.free(this, reusable, now);
    }

    @Override
    public void keptFor(long seconds) {
        pool.state.keepsFor(seconds, pool.now());
    }

    @Override
    public void gone() {
        if (leases() > 0) {
            over(pool.now());
            pool.holders.remove(holding);
        }
        pool.gone(this);
    }

    @Override
    public void unused() {
        unserved();
        free(true);
    }
}
