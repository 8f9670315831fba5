package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.StoreConnectionInfo;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.store.CompletedSpend;
import dev.postern.auth.spend.store.EpochState;
import dev.postern.auth.spend.store.EventLoopDeadlines;
import dev.postern.auth.spend.store.LedgerMeters;
import dev.postern.auth.spend.store.LedgerMeters.Event;
import dev.postern.auth.spend.store.LedgerScheduler;
import dev.postern.auth.spend.store.SpentCache;
import dev.postern.auth.spend.store.StoreCircuitBreaker;
import dev.postern.auth.spend.store.StoreReply;
import dev.postern.core.transport.ConnectErrorReason;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server handle: holds the current connection to one server and the circuit breaker, and replaces a connection that does not work.
 *
 * <p>{@link #tend} runs on the ledger's thread, which may block while a name is resolved; the other methods on event loops and I/O threads.
 */
final class MemcachedServer {

    /** Number of consecutive spends without a response after which the connection is replaced. */
    static final int MAX_FAILURES_IN_A_ROW = 64;

    private static final Logger LOG = LoggerFactory.getLogger(MemcachedServer.class);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long REOPEN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Server server;
    private final Tools tools;
    private final Witnesses witnesses;
    private final MemcachedConnection.Opener opener;
    private final byte[] mark = MemcachedEncoding.newMark();
    private final AtomicInteger numbers = new AtomicInteger();
    private final StoreCircuitBreaker breaker;
    private final EpochMarkerCheck check;
    private final IncarnationCheck self;
    private final AtomicInteger failuresInRow = new AtomicInteger();
    private volatile @Nullable MemcachedConnection memcachedConnection;
    private volatile long verifiedAt;

    /** Why there is no connection; empty if unknown. */
    private volatile String trouble = "";

    private long openedAt;

    /**
     * Server as configured.
     *
     * @param index of the server among all
     * @param direct whether the server is memcached itself, whose statistics can be read, and not a router
     */
    record Server(String name, String host, int port, int index, boolean direct) {}

    /** Witnesses of a spend: other servers that must be verified for STORED to mean FRESH. For a router, all servers behind the router. */
    @FunctionalInterface
    interface Witnesses {

        Witnesses NONE = add -> add.vouched(true);

        /** Calls {@link PendingAdd#vouched} once, on any thread, or never when a connection is closed. */
        void ask(PendingAdd add);
    }

    /**
     * Tools that all server handles of a ledger share.
     *
     * @param deadline of a spend
     */
    record Tools(
            EpochState state,
            MemcachedEncoding keys,
            SpentCache known,
            LedgerMeters meters,
            LedgerScheduler scheduler,
            EventLoopLocal<EventLoopDeadlines> sides,
            Duration deadline) {}

    MemcachedServer(Server server, Tools tools, Witnesses witnesses, MemcachedConnection.Opener opener) {
        this.server = server;
        this.witnesses = witnesses;
        this.opener = opener;
        this.tools = tools;
        this.check = new EpochMarkerCheck(server, tools, this::verified);
        this.self = new IncarnationCheck(this, tools);
        this.breaker = new StoreCircuitBreaker(server.name, tools.deadline);
        this.verifiedAt = tools.scheduler.nanos();
        this.openedAt = verifiedAt - PATIENCE_NANOS;
    }

    /** Sends a spend, or completes it at once as UNKNOWN; on the given loop. */
    void spend(Redemption redemption, EventLoop loop, long deadlineNanos, SpendListener listener) {
        MemcachedConnection connection = memcachedConnection;
        if (connection == null || connection.connection().mark() == null) {
            CompletedSpend.tell(listener, CompletedSpend.UNKNOWN);
        } else if (!connection.enter()) {
            CompletedSpend.tell(listener, CompletedSpend.BUSY);
        } else if (!breaker.tryEnter()) {
            connection.leave();
            CompletedSpend.tell(listener, CompletedSpend.UNKNOWN);
        } else {
            EventLoopDeadlines deadlines = tools.sides.get(loop);
            PendingAdd add =
                    new PendingAdd(redemption, this, deadlines, deadlineNanos, numbers.incrementAndGet(), listener);
            deadlines.await(add);
            connection.spend(add);
        }
    }

    /** Checks whether STORED means FRESH, if the server returned the given epoch marker after STORED on the same connection. */
    void vouch(PendingAdd add, byte @Nullable [] shown) {
        Redemption of = add.redemption();
        if (!tools.state.vouch(server.index, shown, of, of.epoch())) {
            add.vouched(false);
        } else if (mayEvict()) {
            self.vouch(of, add::vouched);
        } else {
            witnesses.ask(add);
        }
    }

    void knowSpent(Redemption redemption) {
        tools.known.add(redemption.key());
    }

    /** Returns the random part of the values of all adds. The caller must not change the array. */
    byte[] mark() {
        return mark;
    }

    /** Records that a spend was settled before its deadline. */
    void heard(StoreReply reply) {
        if (reply == StoreReply.LOST || reply == StoreReply.UNSENT) {
            timedOut();
            return;
        }
        breaker.good();
        if (failuresInRow.get() != 0) {
            failuresInRow.set(0);
        }
    }

    void timedOut() {
        breaker.bad();
        failuresInRow.incrementAndGet();
    }

    /** Reads all responses that have arrived by now, then runs the continuation on the loop. */
    void look(EventLoop loop, Runnable continuation) {
        MemcachedConnection connection = memcachedConnection;
        if (connection == null) {
            continuation.run();
        } else {
            connection.look(loop, continuation);
        }
    }

    /** Returns the maximum time that a spend waits for the server. */
    long deadlineNanos() {
        return tools.deadline.toNanos();
    }

    void late() {
        tools.meters.late();
    }

    /** Returns whether the server may evict a spend without a change of its epoch marker. */
    boolean mayEvict() {
        return check.mayEvict();
    }

    /** Returns the connection if its epoch marker is verified, or null. */
    @Nullable
    MemcachedConnection readyPipe() {
        MemcachedConnection connection = memcachedConnection;
        return connection != null && connection.connection().mark() != null ? connection : null;
    }

    /** Returns the socket facts of the connection; null when the connection is not ready. */
    @Nullable
    StoreConnectionInfo info() {
        MemcachedConnection ready = readyPipe();
        try {
            return ready == null
                    ? null
                    : new StoreConnectionInfo(server.name, ready.tcpNoDelay(), ready.segmentsPerCommand());
        } catch (IOException e) {
            return null; // lost meanwhile
        }
    }

    int inFlight() {
        MemcachedConnection connection = memcachedConnection;
        return connection == null ? 0 : connection.inFlight();
    }

    /**
     * Opens or replaces the connection, or starts a due check. On the ledger's thread, many times a second.
     *
     * @param now of {@link LedgerScheduler#nanos}
     */
    void tend(long now) {
        breaker.tend(now);
        MemcachedConnection current = memcachedConnection;
        boolean dead = current != null && !current.alive();
        if (now - openedAt >= (dead ? REOPEN_NANOS : PATIENCE_NANOS) && (dead || current == null || worn(now))) {
            reopen(now);
        } else if (current != null && current.connection().connected()) {
            check.tend(current, now, !breaker.closed());
        }
    }

    void close() {
        MemcachedConnection last = memcachedConnection;
        memcachedConnection = null;
        if (last != null) {
            last.close();
        }
    }

    /** Returns a short text of the state of the connection and the circuit breaker, for the operator. */
    String state() {
        return contact() + ", breaker " + breaker.state();
    }

    /** Returns a short text of the state of the connection. */
    String contact() {
        MemcachedConnection connection = memcachedConnection;
        if (connection == null || !connection.connection().connected()) {
            String reason = trouble;
            return reason.isEmpty() ? "not connected" : "not connected: " + reason;
        }
        return connection.connection().mark() == null
                ? "connected, epoch marker not verified" + check.trouble()
                : "verified";
    }

    /** Returns whether {@link #contact} names a cause. */
    boolean explained() {
        MemcachedConnection connection = memcachedConnection;
        return !trouble.isEmpty()
                || connection != null && connection.connection().connected();
    }

    Server server() {
        return server;
    }

    StoreCircuitBreaker breaker() {
        return breaker;
    }

    private boolean worn(long now) {
        return now - verifiedAt > PATIENCE_NANOS || failuresInRow.get() >= MAX_FAILURES_IN_A_ROW;
    }

    private void reopen(long now) {
        openedAt = now;
        MemcachedConnection last = memcachedConnection;
        if (last != null) {
            if (last.connection().connected()) {
                tools.meters.event(Event.RECREATED);
            }
            close();
        }
        failuresInRow.set(0);
        // Resolved anew each time: the library would always use the first address.
        InetSocketAddress address = new InetSocketAddress(server.host, server.port);
        if (address.isUnresolved()) {
            trouble = "the name does not resolve";
            return;
        }
        try {
            memcachedConnection = opener.open(address, new MarkedConnection(new Watch()));
        } catch (IOException | RuntimeException e) {
            LOG.debug("memcached connection not opened", e);
            trouble = ConnectErrorReason.of(e);
        }
    }

    /** Starts a check of the server's epoch marker, on the ledger's thread. */
    private void look() {
        tools.scheduler.now(() -> {
            MemcachedConnection current = memcachedConnection;
            if (current != null && current.connection().connected()) {
                check.start(current);
            }
        });
    }

    /** Takes that the server's epoch marker was verified: closes the circuit breaker without probes by spends. */
    private void verified(boolean wasAway, long nanos) {
        verifiedAt = tools.scheduler.nanos();
        if (wasAway) {
            failuresInRow.set(0);
        }
        if (wasAway || !breaker.closed()) {
            tools.scheduler.now(() -> breaker.verified(wasAway, nanos));
        }
    }

    private final class Watch implements MarkedConnection.Listener {

        @Override
        public void established() {
            trouble = "";
            tools.meters.event(Event.CONNECTED);
            look();
        }

        @Override
        public void lost() {
            if (trouble.isEmpty()) {
                trouble = "connection lost";
            }
            tools.meters.event(Event.LOST);
        }

        @Override
        public void doubted() {
            look();
        }

        @Override
        public void failed(Throwable cause) {
            trouble = ConnectErrorReason.of(cause);
        }
    }
}
