package dev.postern.core.upstream.pool;

import dev.postern.core.http.Refusal;
import dev.postern.core.upstream.connect.ChannelOpener;
import dev.postern.core.upstream.connect.Connector;
import dev.postern.core.upstream.connect.ProxyProtocolEncoder;
import dev.postern.core.upstream.endpoint.Endpoint;
import dev.postern.core.upstream.endpoint.EndpointSelector;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import dev.postern.core.upstream.share.PreemptionRule;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Base of the connection pools: the order in which an exchange gets a connection, connects and their waiters, permits, expiry. A protocol
 * adds how it stores its connections.
 */
abstract class AbstractConnectionPool<C extends PooledConnection> implements ConnectionPool {

    final PoolState state;
    final AcquireQueue queue;
    final Holders holders = new Holders();
    private final EventLoop loop;
    private final ChannelOpener opener;
    private final EndpointSelector selector;
    private final PendingConnects connects;
    private final long maxLifetimeNanos;
    private boolean sweeping;

    /** @param streams exchanges that one connection carries at once */
    AbstractConnectionPool(PoolState state, ChannelOpener opener, EventLoop loop, int streams) {
        this.state = state;
        this.loop = loop;
        this.opener = opener;
        this.selector = new EndpointSelector(state.settings(), System.identityHashCode(this));
        this.connects = new PendingConnects(streams);
        this.maxLifetimeNanos = state.settings().pool().maxLifetime().toNanos();
        this.queue = new AcquireQueue(state, loop, this::leave);
    }

    /** Returns the current time, of the ticker of the loop. */
    final long now() {
        return loop.ticker().nanoTime();
    }

    // ---- what a protocol adds

    /** Returns a connection to the endpoint that can carry the waiter's exchange now, or null. */
    abstract @Nullable C poll(Endpoint endpoint, Waiter waiter, long now);

    /** Returns a connection to any endpoint, when none can be opened to the selected one; or null. */
    @Nullable
    C pollAny(long now) {
        return null;
    }

    /**
     * Adds the protocol to a connected channel.
     *
     * @param end of the connect timeout, of the loop's ticker
     */
    abstract void connected(Channel channel, PendingConnects.PendingConnect connect, long end);

    /** Removes the connection from the pool; true when it was idle. */
    abstract boolean remove(C connection);

    /** Removes and closes the connections for which the predicate holds; those under way are closed when their exchanges are over. */
    abstract void closeIf(Predicate<C> predicate);

    /** Removes and closes one idle connection, if there is one. */
    abstract void closeIdle();

    // ---- leasing

    @Override
    public final void acquire(Waiter waiter, @Nullable Endpoint avoid, long now) {
        if (state.networks().anyFull() && state.networks().holdsBack(waiter.network())) {
            queue.add(waiter);
            return;
        }
        Endpoint endpoint = select(waiter, avoid, now);
        C found = poll(endpoint, waiter, now);
        if (found == null && !connect(endpoint, waiter)) {
            found = pollAny(now);
            if (found == null) {
                queue.add(waiter);
            }
        }
        if (found != null) {
            lease(found, waiter, now);
        }
    }

    private Endpoint select(Waiter waiter, @Nullable Endpoint avoid, long now) {
        return selector.choose(state.endpoints(), waiter.key(), now, avoid);
    }

    final void lease(C connection, Waiter waiter, long now) {
        queue.over(waiter);
        PooledLease lease = connection.lease();
        holders.add(lease.holding(), waiter, now);
        state.stats().request(lease.reused());
        waiter.acquired(lease, now);
    }

    @Override
    public final void leave(Waiter waiter) {
        queue.remove(waiter);
        if (connects.leave(waiter) && !queue.isEmpty()) {
            loop.execute(
                    this::connectQueued); // those that wait longest take over the connect, before those that come later
        }
    }

    // ---- connecting

    /** Lets the waiter wait for a connection that is being opened, or opens one; false when no permit is left. */
    private boolean connect(Endpoint endpoint, Waiter waiter) {
        if (connects.join(endpoint, waiter)) {
            queue.dequeue(waiter);
            queue.bound(waiter);
            return true;
        }
        if (!state.permits().tryAcquire()) {
            return false;
        }
        queue.dequeue(waiter);
        connect(connects.begin(endpoint, waiter));
        return true;
    }

    private void connect(PendingConnects.PendingConnect connect) {
        UpstreamSettings settings = state.settings();
        long end = now() + settings.timeouts().connect().toNanos();
        ChannelFuture connecting = opener.open(
                loop,
                connect.endpoint().address(),
                settings.timeouts().connect(),
                ProxyProtocolEncoder.of(settings.proxyProtocol(), connect.source()));
        connecting.addListener(done -> {
            if (done.isSuccess()) {
                connected(connecting.channel(), connect, end);
            } else {
                failed(connect, Connector.why(done.cause()));
            }
        });
    }

    /** Ends a connect whose connection can carry exchanges now; returns the waiters for it. */
    final Collection<Waiter> opened(PendingConnects.PendingConnect connect) {
        state.stats().connect(true);
        return connects.end(connect);
    }

    /** Refuses the waiters for a connection that could not be opened. */
    final void failed(PendingConnects.PendingConnect connect, Refusal refusal) {
        state.failed(connect.endpoint(), refusal, now());
        if (refusal == Refusal.UPSTREAM_CONNECT_TIMEOUT && connect.takenOver()) {
            connect(connect); // the timeout belonged to the waiters before: connect again with the same permit
            return;
        }
        Collection<Waiter> waiters = connects.end(connect);
        state.permits().release();
        for (Waiter waiter : waiters) {
            queue.over(waiter);
            waiter.refused(refusal, connect.endpoint());
        }
    }

    // ---- permits

    @Override
    public final void permitWanted() {
        if (idle() > 0) {
            loop.execute(this::closeIdle);
        }
    }

    @Override
    public final void permitReturned() {
        loop.execute(this::connectQueued);
    }

    /** Lets exchanges of the queue wait for connections that are being opened, or opens some, as far as there are permits. */
    private void connectQueued() {
        for (Waiter next = queue.first(); next != null; next = queue.first()) {
            if (!connect(select(next, null, now()), next)) {
                return;
            }
        }
    }

    // ---- shares of networks

    /** Returns whether other event loops can use what an exchange of this pool gives back. */
    abstract boolean shared();

    @Override
    public final void placeWanted() {
        loop.execute(queue::shed);
    }

    @Override
    public final void report(PreemptionRounds.Round round) {
        loop.execute(() -> round.add(report()));
    }

    private PreemptionRounds.Report report() {
        long now = now();
        List<PreemptionRule.Held<PreemptionRounds.Victim>> held =
                new ArrayList<>(holders.all().size());
        for (Holders.Holding each : holders.all()) {
            Waiter holder = each.holder();
            if (holder != null) {
                held.add(new PreemptionRule.Held<>(
                        holder.network(), holder.activity(now), now - each.since(), victim(each, holder)));
            }
        }
        return new PreemptionRounds.Report(idle(), held, queue.networks(), shared());
    }

    private PreemptionRounds.Victim victim(Holders.Holding holding, Waiter holder) {
        return cause -> loop.execute(() -> {
            if (holding.holder() == holder) {
                state.stats().preempted(cause);
                holder.preempted(cause);
            }
        });
    }

    // ---- closing

    /** Handles a closed connection. */
    final void gone(C connection) {
        if (remove(connection)) {
            closedByUpstream(connection); // the pool removes a connection before closing it
        }
        state.permits().release();
    }

    /** Learns from an idle connection that the upstream closed. */
    final void closedByUpstream(C connection) {
        long now = now();
        state.closedIdle(now - connection.idleSince(), now);
    }

    @Override
    public final void endpointsGone() {
        loop.execute(() -> closeIf(connection -> connection.endpoint().retired()));
    }

    /** Returns whether the connection gets no further exchange because of its age, its number of exchanges or its idle time. */
    final boolean expired(C connection, long now) {
        return spent(connection)
                || (maxLifetimeNanos > 0 && now - connection.born() >= maxLifetimeNanos)
                || (connection.leases() == 0 && now - connection.idleSince() >= state.idleNanos(now));
    }

    /** Returns whether the connection has served as many exchanges as it may. */
    final boolean spent(C connection) {
        UpstreamSettings.Pool limits = state.settings().pool();
        int max = limits.keepAlive() ? limits.requests() : 1;
        return max > 0 && connection.served() >= max;
    }

    /** Closes idle connections when they expire. */
    final void sweepLater() {
        if (!sweeping) {
            sweeping = true;
            loop.schedule(this::sweep, 1, TimeUnit.SECONDS);
        }
    }

    private void sweep() {
        sweeping = false;
        long now = now();
        closeIf(connection -> connection.leases() == 0 && expired(connection, now));
        if (idle() > 0) {
            sweepLater();
        }
    }
}
