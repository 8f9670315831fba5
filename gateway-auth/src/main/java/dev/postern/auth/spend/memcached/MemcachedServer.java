package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.StoreConnectionInfo;
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
 * The lasting way to one server: the pipe of the moment, its breaker, and the rule when a pipe is thrown away for a new one.
 *
 * <p>{@link #tend} runs on the ledger's own thread, which may block for a name to be resolved; the rest on event loops and I/O threads.
 */
final class MemcachedServer {

    /** Spends without a response, one after the other, after which the pipe itself is suspected. */
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

    /** Why there is no connection, as far as it is known. */
    private volatile String trouble = "";

    private long openedAt;

    /**
     * @param index of the server among all
     * @param direct whether it is memcached itself, which can be asked for its statistics, and no router
     */
    record Server(String name, String host, int port, int index, boolean direct) {}

    /** Who else must be good for STORED to mean FRESH: of a router, every server behind it. */
    @FunctionalInterface
    interface Witnesses {

        Witnesses NONE = add -> add.vouched(true);

        /** Tells the attempt once, on whichever thread, or never when a connection is given up. */
        void ask(PendingAdd add);
    }

    /**
     * What all links of a ledger share.
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

    /** Sends a spend, or responses at once why not; on that loop. */
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

    /** Finds out whether STORED means FRESH where the server showed that mark after it, on the same connection. */
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

    /** The random part of the marks of all attempts; not to be changed. */
    byte[] mark() {
        return mark;
    }

    /** A spend was settled before its deadline. */
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

    /** Has all read that the server has answered by now, and then calls back on that loop. */
    void look(EventLoop loop, Runnable continuation) {
        MemcachedConnection connection = memcachedConnection;
        if (connection == null) {
            continuation.run();
        } else {
            connection.look(loop, continuation);
        }
    }

    /** How long a spend waits for the server. */
    long deadlineNanos() {
        return tools.deadline.toNanos();
    }

    void late() {
        tools.meters.late();
    }

    /** Whether the server may have forgotten a spend a moment ago though its mark is the same. */
    boolean mayEvict() {
        return check.mayEvict();
    }

    /** The pipe whose server's mark is verified, or null. */
    @Nullable
    MemcachedConnection readyPipe() {
        MemcachedConnection connection = memcachedConnection;
        return connection != null && connection.connection().mark() != null ? connection : null;
    }

    /** How its commands go over the wire; null where it is not ready. */
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
     * On the ledger's thread, many times a second.
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

    /** A few words for people. */
    String state() {
        return contact() + ", breaker " + breaker.state();
    }

    /** The same of the connection alone. */
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
        // Resolved anew each time: the library would stay with the first address for ever.
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

    /** Has the server's mark looked at, soon. */
    private void look() {
        tools.scheduler.now(() -> {
            MemcachedConnection current = memcachedConnection;
            if (current != null && current.connection().connected()) {
                check.start(current);
            }
        });
    }

    /** The server showed its mark: its breaker need not find out by itself that it is back. */
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
