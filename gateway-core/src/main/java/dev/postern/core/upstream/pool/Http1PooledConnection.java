package dev.postern.core.upstream.pool;

import dev.postern.core.upstream.connect.ProxyProtocolSource;
import dev.postern.core.upstream.connect.UpstreamStream;
import dev.postern.core.upstream.endpoint.Endpoint;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** HTTP/1.1 connection in the pool: its age, its number of exchanges, whether it is leased. Event loop only. */
final class Http1PooledConnection implements ConnectionLease, UpstreamStream.Owner {

    private final Http1ConnectionPool pool;
    private final Endpoint endpoint;
    private final @Nullable ProxyProtocolSource source;
    private final Channel channel;
    private final long born;
    private @Nullable UpstreamStream stream;
    private long idleSince;
    private int served;
    private boolean lent;

    /** @param source the only client that the connection serves, or null */
    Http1PooledConnection(
            Http1ConnectionPool pool,
            Endpoint endpoint,
            @Nullable ProxyProtocolSource source,
            Channel channel,
            long now) {
        this.pool = pool;
        this.endpoint = endpoint;
        this.source = source;
        this.channel = channel;
        this.born = now;
    }

    void wire(UpstreamStream protocol) {
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
        return served > 1;
    }

    Channel channel() {
        return channel;
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Nullable
    ProxyProtocolSource source() {
        return source;
    }

    int served() {
        return served;
    }

    long born() {
        return born;
    }

    long idleSince() {
        return idleSince;
    }

    void lend() {
        lent = true;
        served++;
        endpoint.begun();
    }

    private void unlend() {
        if (lent) {
            lent = false;
            endpoint.over();
        }
    }

    @Override
    public void free(boolean reusable) {
        unlend();
        idleSince = System.nanoTime();
        pool.free(this, reusable, idleSince);
    }

    @Override
    public void keptFor(long seconds) {
        pool.keptFor(seconds);
    }

    @Override
    public void gone() {
        unlend();
        pool.gone(this);
    }

    @Override
    public void unused() {
        served--;
        free(true);
    }
}
