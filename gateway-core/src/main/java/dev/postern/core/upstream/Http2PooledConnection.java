package dev.postern.core.upstream;

import dev.postern.core.http.Refusal;
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

/** One connection that many exchanges use at once, as its pool sees it: who waits for it, how many have a stream of it. Event loop only. */
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

    // ---- until it is ready

    /** Lets it wait until this is ready; false when enough do. */
    boolean expect(ConnectionPool.Waiter waiter, int most) {
        return expecting.size() < most && expecting.add(waiter);
    }

    void leave(ConnectionPool.Waiter waiter) {
        expecting.remove(waiter);
    }

    /** Those that waited, in the order in which they came; none do any more. */
    List<ConnectionPool.Waiter> expected() {
        List<ConnectionPool.Waiter> all = List.copyOf(expecting);
        expecting.clear();
        return all;
    }

    /** The channel stands; until then is left for the server to say what it takes. */
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

    // ---- while it serves

    Endpoint endpoint() {
        return endpoint;
    }

    /** How many exchanges more it takes now. */
    int room() {
        UpstreamConnection open = connection;
        return retired || !ready || open == null ? 0 : Math.max(0, open.streams() - lent);
    }

    /** Exchanges that have a stream of it. */
    int lent() {
        return lent;
    }

    int served() {
        return served;
    }

    long born() {
        return born;
    }

    /** Since when nobody uses it; meaningless while somebody does. */
    long idleSince() {
        return idleSince;
    }

    /** One stream of it; expects room. */
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

    // ---- how it ends

    /** Takes no new exchanges from now on; false when that was so before. */
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
        } // else it is as good as gone
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

    /** One stream, lent to one exchange after the other. */
    final class Lease implements ConnectionLease, UpstreamStream.Owner {

        private @Nullable UpstreamStream stream;
        private boolean reused;

        @Override
        public UpstreamStream stream() {
            UpstreamStream made = stream;
            if (made == null) {
                UpstreamConnection open = connection;
                if (open == null) {
                    throw new IllegalStateException("link: none (expected: lent when ready)");
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
