package dev.postern.core.upstream;

import dev.postern.core.refusal.Refusal;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The idle connections of one event loop to the endpoints of one upstream, newest first, so that what is not needed grows old and is
 * closed. An exchange never leaves its loop; only permits are shared between loops.
 *
 * <p>Event loop only, but for {@link #permitWanted}, {@link #permitReturned} and {@link #idle}.
 */
public final class LoopPool {

    private final Upstream upstream;
    private final Connector connector;
    private final EventLoop loop;
    private final EndpointChoice choice;
    private final Connector.Place place;
    private final Map<Endpoint, ArrayDeque<Connection>> idle = new HashMap<>();
    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();
    private volatile int idleCount;
    private boolean sweeping;

    LoopPool(Upstream upstream, Connector connector, EventLoop loop) {
        this.upstream = upstream;
        this.connector = connector;
        this.loop = loop;
        this.choice = new EndpointChoice(upstream.settings(), System.identityHashCode(this));
        this.place = new Connector.Place(
                "upstream " + upstream.name(), upstream.settings().sockets());
    }

    /** Who wants a connection. */
    public interface Waiter {

        /** Lent until its exchange is over. */
        void acquired(Connection connection);

        /** @param failed the endpoint that could not be connected to, or null when it never came to that */
        void refused(Refusal why, @Nullable Endpoint failed);

        /** Whether it still wants one. */
        boolean wants();

        /** What decides its server, where that is by a key. */
        long key();
    }

    /**
     * Lends an idle connection, opens one, or lets the waiter wait for one within the connect time-out.
     *
     * @param fresh never an idle one, since one of those just proved stale
     * @param avoid an endpoint that failed this exchange already
     */
    public void acquire(Waiter waiter, boolean fresh, @Nullable Endpoint avoid) {
        long now = System.nanoTime();
        Endpoint endpoint = choice.choose(upstream.endpoints(), waiter.key(), now, avoid);
        Connection found = fresh ? null : pollIdle(endpoint, now);
        if (found != null) {
            lend(found, waiter);
        } else if (upstream.takePermit()) {
            connect(endpoint, waiter);
        } else {
            await(waiter);
        }
    }

    private void lend(Connection connection, Waiter waiter) {
        connection.lend();
        upstream.counts().request(connection.reused());
        waiter.acquired(connection);
    }

    private @Nullable Connection pollIdle(Endpoint endpoint, long now) {
        ArrayDeque<Connection> of = idle.get(endpoint);
        if (of == null) {
            return null;
        }
        for (Connection next = of.pollFirst(); next != null; next = of.pollFirst()) {
            countIdle(-1);
            if (next.channel().isActive() && !expired(next, now)) {
                return next;
            }
            next.wire().close();
        }
        return null;
    }

    private void connect(Endpoint endpoint, Waiter waiter) {
        ChannelFuture connecting = connector.connect(
                loop,
                endpoint.address(),
                upstream.settings().timeouts().connect(),
                place,
                false,
                new ChannelHandlerAdapter() {});
        connecting.addListener(done -> {
            if (done.isSuccess()) {
                connected(connecting.channel(), endpoint, waiter);
            } else {
                upstream.counts().connect(false);
                endpoint.health().bad(true, System.nanoTime());
                upstream.returnPermit();
                waiter.refused(Connector.why(done.cause()), endpoint);
            }
        });
    }

    private void connected(Channel channel, Endpoint endpoint, Waiter waiter) {
        upstream.counts().connect(true);
        Connection connection = new Connection(this, endpoint, channel, System.nanoTime());
        connection.wire(connector.protocol().apply(channel, connection));
        if (waiter.wants()) {
            lend(connection, waiter);
        } else {
            connection.lend();
            connection.unused();
        }
    }

    private void await(Waiter waiter) {
        if (!upstream.queue()) {
            waiter.refused(Refusal.UPSTREAM_BUSY, null);
            return;
        }
        waiting.add(waiter);
        loop.schedule(
                () -> giveUp(waiter), upstream.settings().timeouts().connect().toNanos(), TimeUnit.NANOSECONDS);
    }

    private void giveUp(Waiter waiter) {
        if (waiting.remove(waiter)) {
            upstream.unqueue();
            waiter.refused(Refusal.UPSTREAM_BUSY, null);
        }
    }

    /** An exchange is over. */
    void free(Connection connection, boolean reusable) {
        long now = System.nanoTime();
        if (!reusable
                || !upstream.settings().pool().keepAlive()
                || connection.endpoint().retired()
                || expired(connection, now)) {
            connection.wire().close();
            return;
        }
        Waiter next = nextWaiter();
        if (next != null) {
            lend(connection, next);
            return;
        }
        idle.computeIfAbsent(connection.endpoint(), e -> new ArrayDeque<>()).addFirst(connection);
        countIdle(1);
        // Asked only now that the count can be seen: whoever begins to wait on another loop looks at it, or is seen
        // here.
        if (upstream.contended()) {
            closeOldest();
        }
        sweepLater();
    }

    void keptFor(long seconds) {
        upstream.keepsFor(seconds, System.nanoTime());
    }

    void gone(Connection connection) {
        ArrayDeque<Connection> of = idle.get(connection.endpoint());
        if (of != null && of.remove(connection)) {
            countIdle(-1);
            long now = System.nanoTime();
            upstream.closedIdle(now - connection.idleSince(), now); // not by us: we take it out first
        }
        upstream.returnPermit();
    }

    private @Nullable Waiter nextWaiter() {
        for (Waiter next = waiting.poll(); next != null; next = waiting.poll()) {
            upstream.unqueue();
            if (next.wants()) {
                return next;
            }
        }
        return null;
    }

    /** Another loop needs a connection and there is no permit left: give up an idle one. */
    void permitWanted() {
        if (idleCount > 0) {
            loop.execute(this::closeOldest);
        }
    }

    /** A permit is free again: whoever waits here may open a connection. */
    void permitReturned() {
        loop.execute(() -> {
            while (!waiting.isEmpty() && upstream.takePermit()) {
                Waiter next = nextWaiter();
                if (next == null) {
                    upstream.returnPermit();
                    return;
                }
                connect(choice.choose(upstream.endpoints(), next.key(), System.nanoTime(), null), next);
            }
        });
    }

    /** Servers are gone: nobody will ask for connections to them. From any thread. */
    void endpointsGone() {
        loop.execute(() -> idle.entrySet().removeIf(entry -> {
            if (entry.getKey().retired()) {
                countIdle(-entry.getValue().size());
                entry.getValue().forEach(connection -> connection.wire().close());
            }
            return entry.getKey().retired();
        }));
    }

    /** Connections that nobody uses now; from any thread. */
    int idle() {
        return idleCount;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // only its own loop writes it; others read
    private void countIdle(int by) {
        idleCount = idleCount + by;
    }

    private void closeOldest() {
        for (ArrayDeque<Connection> of : idle.values()) {
            Connection oldest = of.pollLast();
            if (oldest != null) {
                countIdle(-1);
                oldest.wire().close();
                return;
            }
        }
    }

    private boolean expired(Connection connection, long now) {
        UpstreamSettings.Pool limits = upstream.settings().pool();
        long life = limits.life().toNanos();
        return (limits.requests() > 0 && connection.served() >= limits.requests())
                || (life > 0 && now - connection.born() >= life)
                || now - connection.idleSince() >= upstream.idleNanos(now);
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
        for (ArrayDeque<Connection> of : idle.values()) {
            for (Connection oldest = of.peekLast(); oldest != null && expired(oldest, now); oldest = of.peekLast()) {
                of.pollLast();
                countIdle(-1);
                oldest.wire().close();
            }
            some |= !of.isEmpty();
        }
        if (some) {
            sweepLater();
        }
    }
}
