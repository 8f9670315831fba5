package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.StoreConnectionInfo;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.store.CompletedSpend;
import dev.postern.auth.spend.store.EventLoopDeadlines;
import dev.postern.auth.spend.store.LedgerMeters.Event;
import dev.postern.auth.spend.store.StoreResources;
import dev.postern.auth.spend.store.StoreServer;
import dev.postern.core.transport.ConnectErrorReason;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server handle: holds the current connection to one server and the circuit breaker, and replaces a connection that does not work.
 *
 * <p>{@link #maintain} runs on the ledger's thread, which may block while a name is resolved; the other methods on event loops and I/O threads.
 */
final class MemcachedServer extends StoreServer {

    /** Number of consecutive spends without a response after which the connection is replaced. */
    static final int MAX_FAILURES_IN_A_ROW = 64;

    private static final Logger LOG = LoggerFactory.getLogger(MemcachedServer.class);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long REOPEN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Server server;
    private final SpendCheck routed;
    private final MemcachedConnection.Opener opener;
    private final byte[] valuePrefix = MemcachedEncoding.newValuePrefix();
    private final AtomicInteger numbers = new AtomicInteger();
    private final EpochMarkerCheck check;
    private final IncarnationCheck incarnationCheck;
    private final AtomicInteger failuresInRow = new AtomicInteger();
    private volatile @Nullable MemcachedConnection memcachedConnection;
    private volatile long verifiedAt;
    private long openedAt;

    /**
     * Server as configured.
     *
     * @param index of the server among all
     * @param direct whether the server is memcached itself, whose statistics can be read, and not a router
     */
    record Server(String name, String host, int port, int index, boolean direct) {}

    /** Check of a spend after STORED: whether other servers are verified too. For a router, all servers behind the router. */
    @FunctionalInterface
    interface SpendCheck {

        SpendCheck NONE = add -> add.verified(true);

        /** Calls {@link PendingAdd#verified} once, on any thread, or never when a connection is closed. */
        void verify(PendingAdd add);
    }

    MemcachedServer(
            Server server,
            StoreResources resources,
            MemcachedEncoding encoding,
            SpendCheck routed,
            MemcachedConnection.Opener opener) {
        super(server.name, resources);
        this.server = server;
        this.routed = routed;
        this.opener = opener;
        this.check = new EpochMarkerCheck(server, resources, encoding, this::verified);
        this.incarnationCheck = new IncarnationCheck(
                this, resources.state(), encoding, resources.scheduler().ticker());
        this.verifiedAt = resources.scheduler().nanos();
        this.openedAt = verifiedAt - PATIENCE_NANOS;
    }

    /** Sends a spend, or completes it at once as UNKNOWN; on the given loop. */
    void spend(Redemption redemption, EventLoop loop, long deadlineNanos, SpendListener listener) {
        MemcachedConnection connection = readyConnection();
        if (connection == null) {
            CompletedSpend.notify(listener, CompletedSpend.UNKNOWN);
        } else if (admit(connection, listener)) {
            EventLoopDeadlines deadlines = resources().deadlines().get(loop);
            PendingAdd add =
                    new PendingAdd(redemption, this, deadlines, deadlineNanos, numbers.incrementAndGet(), listener);
            deadlines.await(add);
            connection.spend(add);
        }
    }

    /** Verifies an add whose server returned the given epoch marker after STORED, on the same connection. */
    void verify(PendingAdd add, byte @Nullable [] shown) {
        Redemption redemption = add.redemption();
        if (!resources().state().isFresh(server.index, shown, redemption, redemption.epoch())) {
            add.verified(false);
        } else if (mayEvict()) {
            incarnationCheck.verify(redemption, add::verified);
        } else {
            routed.verify(add);
        }
    }

    /** Returns the random part of the values of all adds. The caller must not change the array. */
    byte[] valuePrefix() {
        return valuePrefix;
    }

    @Override
    protected void succeeded() {
        if (failuresInRow.get() != 0) {
            failuresInRow.set(0);
        }
    }

    @Override
    protected void failed() {
        failuresInRow.incrementAndGet();
    }

    @Override
    public void readReplies(EventLoop loop, Runnable continuation) {
        MemcachedConnection connection = memcachedConnection;
        if (connection == null) {
            continuation.run();
        } else {
            connection.readReplies(loop, continuation);
        }
    }

    /** Returns whether the server may evict a spend without a change of its epoch marker. */
    boolean mayEvict() {
        return check.mayEvict();
    }

    /** Returns the connection if its epoch marker is verified, or null. */
    @Nullable
    MemcachedConnection readyConnection() {
        MemcachedConnection connection = memcachedConnection;
        return connection != null && connection.connection().marker() != null ? connection : null;
    }

    /** Returns the socket facts of the connection; null when the connection is not ready. */
    @Nullable
    StoreConnectionInfo info() {
        MemcachedConnection ready = readyConnection();
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
     * @param now of {@link dev.postern.auth.spend.store.LedgerScheduler#nanos}
     */
    void maintain(long now) {
        breaker().maintain(now);
        MemcachedConnection current = memcachedConnection;
        boolean dead = current != null && !current.alive();
        if (now - openedAt >= (dead ? REOPEN_NANOS : PATIENCE_NANOS) && (dead || current == null || worn(now))) {
            reopen(now);
        } else if (current != null && current.connection().connected()) {
            check.maintain(current, now, !breaker().closed());
        }
    }

    void close() {
        MemcachedConnection last = memcachedConnection;
        memcachedConnection = null;
        if (last != null) {
            last.close();
        }
    }

    @Override
    public boolean ready() {
        return readyConnection() != null;
    }

    @Override
    protected @Nullable String connectionState() {
        MemcachedConnection connection = memcachedConnection;
        if (connection == null || !connection.connection().connected()) {
            return null;
        }
        return connection.connection().marker() == null
                ? "connected, epoch marker not verified" + check.trouble()
                : "verified";
    }

    Server server() {
        return server;
    }

    private boolean worn(long now) {
        return now - verifiedAt > PATIENCE_NANOS || failuresInRow.get() >= MAX_FAILURES_IN_A_ROW;
    }

    private void reopen(long now) {
        openedAt = now;
        MemcachedConnection last = memcachedConnection;
        if (last != null) {
            if (last.connection().connected()) {
                resources().meters().event(Event.RECREATED);
            }
            close();
        }
        failuresInRow.set(0);
        // Resolved anew each time: the library would always use the first address.
        InetSocketAddress address = new InetSocketAddress(server.host, server.port);
        if (address.isUnresolved()) {
            trouble("the name does not resolve");
            return;
        }
        try {
            memcachedConnection = opener.open(address, new MarkedConnection(new ConnectionWatch()));
        } catch (IOException | RuntimeException e) {
            LOG.debug("memcached connection not opened", e);
            trouble(ConnectErrorReason.of(e));
        }
    }

    /** Starts a check of the server's epoch marker, on the ledger's thread. */
    private void checkMarker() {
        resources().scheduler().now(() -> {
            MemcachedConnection current = memcachedConnection;
            if (current != null && current.connection().connected()) {
                check.start(current);
            }
        });
    }

    /** Takes that the server's epoch marker was verified: closes the circuit breaker without probes by spends. */
    private void verified(boolean wasAway, long nanos) {
        verifiedAt = resources().scheduler().nanos();
        if (wasAway) {
            failuresInRow.set(0);
        }
        if (wasAway || !breaker().closed()) {
            resources().scheduler().now(() -> breaker().verified(wasAway, nanos));
        }
    }

    private final class ConnectionWatch implements MarkedConnection.Listener {

        @Override
        public void established() {
            trouble("");
            resources().meters().event(Event.CONNECTED);
            checkMarker();
        }

        @Override
        public void lost() {
            troubleIfUnknown(ConnectErrorReason.LOST);
            resources().meters().event(Event.LOST);
        }

        @Override
        public void doubted() {
            checkMarker();
        }

        @Override
        public void failed(Throwable cause) {
            trouble(ConnectErrorReason.of(cause));
        }
    }
}
