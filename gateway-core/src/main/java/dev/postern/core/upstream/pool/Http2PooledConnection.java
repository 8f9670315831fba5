package dev.postern.core.upstream.pool;

import dev.postern.core.http.Refusal;
import dev.postern.core.upstream.connect.UpstreamConnection;
import dev.postern.core.upstream.connect.UpstreamStream;
import dev.postern.core.upstream.endpoint.Endpoint;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** HTTP/2 connection in the pool: the waiters for it, and the number of leased streams. Event loop only. */
final class Http2PooledConnection implements UpstreamConnection.Owner {

    private final Http2ConnectionPool pool;
    private final Endpoint endpoint;
    private final long born;
    private final Set<ConnectionPool.Waiter> expecting = new LinkedHashSet<>();
    private final ArrayDeque<Lease> spares = new ArrayDeque<>();
    private @Nullable UpstreamConnection connection;
    private @Nullable ScheduledFuture<?> late;
    private boolean ready;
    private boolean retired;
    private int lent;
    private int served;
    private long idleSince;

    Http2PooledConnection(Http2ConnectionPool pool, Endpoint endpoint, long now) {
        this.pool = pool;
        this.endpoint = endpoint;
        this.born = now;
        this.idleSince = now;
    }

    // ---- connecting

    /** Adds a waiter until the connection is ready; false at the limit. */
    boolean expect(ConnectionPool.Waiter waiter, int most) {
        return expecting.size() < most && expecting.add(waiter);
    }

    void leave(ConnectionPool.Waiter waiter) {
        expecting.remove(waiter);
    }

    /** Returns the waiters in the order in which they came, and clears them. */
    List<ConnectionPool.Waiter> expected() {
        List<ConnectionPool.Waiter> all = List.copyOf(expecting);
        expecting.clear();
        return all;
    }

    /** Opens HTTP/2 on a connected channel; {@code left} is the time that is left for the endpoint's SETTINGS. */
    void open(Channel channel, UpstreamConnection.Factory links, UpstreamConnection.Terms terms, Duration left) {
        EventLoop loop = channel.eventLoop();
        late = loop.schedule(() -> tooLate(channel), left.toNanos(), TimeUnit.NANOSECONDS);
        connection = links.open(channel, this, terms);
    }

    private void tooLate(Channel channel) {
        if (!ready && !retired) {
            retired = true;
            pool.failed(this, Refusal.UPSTREAM_CONNECT_TIMEOUT);
            channel.close();
        }
    }

    @Override
    public void ready() {
        ready = true;
        stopTimer();
        if (retired) {
            close();
        } else {
            pool.ready(this);
        }
    }

    private void stopTimer() {
        if (late != null) {
            late.cancel(false);
            late = null;
        }
    }

    // ---- leasing

    Endpoint endpoint() {
        return endpoint;
    }

    /** Returns the number of exchanges that the connection can take now. */
    int room() {
        UpstreamConnection open = connection;
        return retired || !ready || open == null ? 0 : Math.max(0, open.streams() - lent);
    }

    /** Returns the number of leased streams. */
    int lent() {
        return lent;
    }

    int served() {
        return served;
    }

    long born() {
        return born;
    }

    /** Returns the time since which the connection is idle; meaningless while a stream is leased. */
    long idleSince() {
        return idleSince;
    }

    /** Leases a stream; expects {@link #room} above 0. */
    Lease lend() {
        Lease spare = spares.poll();
        Lease lease = spare != null ? spare : new Lease();
        lent++;
        served++;
        lease.reused = served > 1;
        endpoint.begun();
        return lease;
    }

    @Override
    public void changed() {
        pool.changed(this);
    }

    private void over(Lease lease) {
        lent--;
        endpoint.over();
        spares.add(lease);
        if (lent == 0) {
            idleSince = System.nanoTime();
        }
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
            pool.failed(this, refusal);
        }
    }

    /** Lease of one stream, for one exchange after the other. */
    final class Lease implements ConnectionLease, UpstreamStream.Owner {

        private @Nullable UpstreamStream stream;
        private boolean reused;

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
            return endpoint;
        }

        @Override
        public boolean reused() {
            return reused;
        }

        @Override
        public void unused() {
            served--;
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
