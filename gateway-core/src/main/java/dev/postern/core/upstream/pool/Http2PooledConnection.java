package dev.postern.core.upstream.pool;

import dev.postern.core.http.Refusal;
import dev.postern.core.upstream.connect.UpstreamConnection;
import dev.postern.core.upstream.connect.UpstreamStream;
import dev.postern.core.upstream.endpoint.Endpoint;
import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** HTTP/2 connection in the pool, from its preface on, and the leases of its streams. Event loop only. */
final class Http2PooledConnection extends PooledConnection implements UpstreamConnection.Owner {

    private final Http2ConnectionPool pool;
    private final PendingConnects.PendingConnect connect;
    private final ArrayDeque<StreamLease> leases = new ArrayDeque<>();
    private @Nullable UpstreamConnection connection;
    private @Nullable ScheduledFuture<?> late;
    private boolean ready;
    private boolean retired;

    Http2PooledConnection(Http2ConnectionPool pool, PendingConnects.PendingConnect connect, long now) {
        super(connect.endpoint(), now);
        this.pool = pool;
        this.connect = connect;
    }

    // ---- connecting

    /** Opens HTTP/2 on a connected channel; {@code remaining} is the time in nanoseconds that is left for the endpoint's SETTINGS. */
    void open(
            Channel channel, UpstreamConnection.Factory multiplexing, UpstreamConnection.Terms terms, long remaining) {
        late = channel.eventLoop().schedule(() -> tooLate(channel), remaining, TimeUnit.NANOSECONDS);
        connection = multiplexing.open(channel, this, terms);
    }

    private void tooLate(Channel channel) {
        if (!ready && !retired) {
            retired = true;
            pool.failed(connect, Refusal.UPSTREAM_CONNECT_TIMEOUT);
            channel.close();
        }
    }

    @Override
    public void ready() {
        stopTimer();
        if (retired) {
            close(); // too late: the waiters were refused and the permit was returned
            return;
        }
        ready = true;
        pool.ready(this, connect);
    }

    private void stopTimer() {
        if (late != null) {
            late.cancel(false);
            late = null;
        }
    }

    // ---- leasing

    /** Returns the number of exchanges that the connection can take now. */
    int room() {
        UpstreamConnection open = connection;
        return retired || !ready || open == null ? 0 : Math.max(0, open.streams() - leases());
    }

    @Override
    StreamLease lease() {
        if (leases() == 0) {
            pool.countIdle(-1);
        }
        StreamLease spare = leases.poll();
        StreamLease lease = spare != null ? spare : new StreamLease();
        begun();
        lease.reused = served() > 1;
        return lease;
    }

    @Override
    public void changed() {
        if (!retired) {
            pool.serve(this);
        }
    }

    private void over(StreamLease lease) {
        over(pool.now());
        pool.holders.remove(lease.holding);
        leases.add(lease);
        pool.over(this);
    }

    // ---- closing

    /** Takes no new exchanges from now on; false when already retired. */
    boolean retire() {
        boolean news = !retired;
        retired = true;
        return news;
    }

    boolean retired() {
        return retired;
    }

    @Override
    public void leaving() {
        if (ready) {
            pool.leaving(this);
        } // else the end of the connection follows and is handled in gone()
    }

    @Override
    public void unresponsive() {
        if (ready) {
            pool.retire(this);
        }
    }

    /** Returns whether another connection is preferred, because a response is late on this one. */
    boolean stalled() {
        UpstreamConnection open = connection;
        return open != null && open.stalled();
    }

    @Override
    void close() {
        UpstreamConnection open = connection;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void gone(Refusal refusal) {
        stopTimer();
        if (ready) {
            pool.gone(this);
        } else if (!retired) {
            retired = true;
            pool.failed(connect, refusal);
        }
    }

    /** Lease of one stream, for one exchange after the other. */
    final class StreamLease implements PooledLease, UpstreamStream.Owner {

        private final Holders.Holding holding = new Holders.Holding();
        private @Nullable UpstreamStream stream;
        private boolean reused;

        @Override
        public Holders.Holding holding() {
            return holding;
        }

        @Override
        public UpstreamStream stream() {
            UpstreamStream made = stream;
            if (made == null) {
                UpstreamConnection open = connection;
                if (open == null) {
                    throw new IllegalStateException("connection: none (expected: leased when ready)");
                }
                made = open.stream(this);
                stream = made;
            }
            return made;
        }

        @Override
        public Endpoint endpoint() {
            return Http2PooledConnection.this.endpoint();
        }

        @Override
        public boolean reused() {
            return reused;
        }

        @Override
        public void unused() {
            unserved();
            over(this);
        }

        @Override
        public void free(boolean reusable) {
            over(this);
        }

        @Override
        public void gone() {
            over(this);
        }
    }
}
