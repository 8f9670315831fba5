package dev.postern.auth.spend.redis;

import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.store.CompletedSpend;
import dev.postern.auth.spend.store.EpochState;
import dev.postern.auth.spend.store.LedgerMeters;
import dev.postern.auth.spend.store.LedgerMeters.Event;
import dev.postern.auth.spend.store.LedgerScheduler;
import dev.postern.auth.spend.store.SpentCache;
import dev.postern.auth.spend.store.StoreCircuitBreaker;
import dev.postern.auth.spend.store.StoreReply;
import dev.postern.core.rate.OutageLog;
import dev.postern.core.transport.ConnectErrorReason;
import dev.postern.core.transport.loop.EventLoopBatcher;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server handle of one master: holds the current connection and the circuit breaker, and replaces the connection when it is lost or the
 * server does not respond for 3 s.
 *
 * <p>{@link #tend} and {@link #close} run on the ledger's thread; the other methods on event loops and Lettuce's threads.
 */
final class RedisServer {

    static final int MAX_IN_FLIGHT = 4096;

    private static final Logger LOG = LoggerFactory.getLogger(RedisServer.class);
    private static final int MAX_IN_BATCH = 64;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Address address;
    private final Tools tools;
    private final StoreCircuitBreaker breaker;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final EventLoopLocal<EventLoopBatcher<PendingInsert>> batches =
            new EventLoopLocal<>(loop -> new EventLoopBatcher<>(loop, MAX_IN_BATCH, this::send));
    private volatile @Nullable RedisConnection redisConnection;
    private volatile boolean closed;

    /** Why there is no connection; empty if unknown. */
    private volatile String trouble = "";

    private final OutageLog outage;
    private boolean connecting;
    private long triedAt;

    /** Connector that opens connections, as {@link RedisClient#connectAsync} does. */
    @FunctionalInterface
    interface Connector {

        CompletionStage<StatefulRedisConnection<byte[], byte[]>> connect(RedisURI uri);
    }

    /**
     * Address of a server.
     *
     * @param name {@code host:port}, for logs and status pages
     */
    record Address(String name, RedisURI uri) {}

    /**
     * Tools that all servers of a ledger share.
     *
     * @param deadline of a spend, and of the WAIT for replicas
     */
    record Tools(
            Connector connector,
            SpendKeys keys,
            EpochState state,
            SpentCache known,
            LedgerMeters meters,
            LedgerScheduler scheduler,
            Duration deadline) {}

    RedisServer(Address address, Tools tools) {
        this.address = address;
        this.tools = tools;
        this.outage =
                new OutageLog("Redis " + address.name() + " (ledger)", LOG::warn, LOG::info, tools.scheduler()::nanos);
        this.triedAt = tools.scheduler().nanos() - RETRY_NANOS;
        this.breaker = new StoreCircuitBreaker(address.name(), tools.deadline());
        tools.meters().breakers(address.name(), List.of(breaker));
    }

    /** Sends a spend together with all others of this pass, or completes it at once as UNKNOWN; on the loop of the request. */
    void spend(PendingInsert.Request request, long deadlineNanos, SpendListener listener) {
        if (!ready()) {
            CompletedSpend.tell(listener, CompletedSpend.UNKNOWN);
        } else if (inFlight.incrementAndGet() > MAX_IN_FLIGHT) {
            leave();
            CompletedSpend.tell(listener, CompletedSpend.BUSY);
        } else if (!breaker.tryEnter()) {
            leave();
            CompletedSpend.tell(listener, CompletedSpend.UNKNOWN);
        } else {
            PendingInsert insert = new PendingInsert(request, this, deadlineNanos, listener);
            request.deadlines().await(insert);
            batches.get(request.deadlines().loop()).add(insert);
        }
    }

    private void send(List<PendingInsert> calls) {
        RedisConnection to = redisConnection;
        if (to == null) {
            calls.forEach(PendingInsert::unsent);
        } else {
            to.send(calls);
        }
    }

    boolean vouch(PendingInsert.Request request) {
        return tools.state().vouch(request.shard(), request.mark(), request.redemption(), request.epoch());
    }

    void knowSpent(PendingInsert.Request request) {
        tools.known().add(request.redemption().key());
    }

    void leave() {
        inFlight.decrementAndGet();
    }

    /** Records that a spend was settled before its deadline. */
    void heard(StoreReply reply) {
        if (reply == StoreReply.LOST || reply == StoreReply.UNSENT) {
            timedOut();
        } else {
            breaker.good();
        }
    }

    void timedOut() {
        breaker.bad();
    }

    /** Returns the maximum time that a spend waits for the server. */
    long deadlineNanos() {
        return tools.deadline().toNanos();
    }

    void late() {
        tools.meters().late();
    }

    /** Requests an early check of the server's run and epoch markers. */
    void doubt() {
        RedisConnection connection = redisConnection;
        if (connection != null) {
            connection.doubt();
        }
    }

    boolean ready() {
        RedisConnection connection = redisConnection;
        return connection != null && connection.ready();
    }

    int inFlight() {
        return inFlight.get();
    }

    String host() {
        return address.uri().getHost();
    }

    String name() {
        return address.name();
    }

    /** Returns the current connection, or null. */
    @Nullable
    RedisConnection connection() {
        return redisConnection;
    }

    /**
     * Connects, or checks the connection. Called many times a second.
     *
     * @param shards shards of this server
     */
    void tend(List<Integer> shards, long now) {
        breaker.tend(now);
        RedisConnection current = redisConnection;
        if (current == null) {
            if (!connecting && now - triedAt >= RETRY_NANOS) {
                connect(now);
            }
        } else if (current.responses(now)) {
            if (!breaker.closed()) {
                current.doubt();
            }
            current.tend(shards, now);
        } else {
            trouble = current.open() ? "no response for 3 s" : "connection lost";
            tools.meters().event(current.open() ? Event.RECREATED : Event.LOST);
            drop();
        }
        if (ready()) {
            outage.there();
        } else {
            outage.away(contact(), redisConnection != null || !trouble.isEmpty());
        }
    }

    private void connect(long now) {
        connecting = true;
        triedAt = now;
        tools.connector()
                .connect(address.uri())
                .whenComplete((made, failure) -> tools.scheduler().now(() -> connected(made, failure)));
    }

    private void connected(@Nullable StatefulRedisConnection<byte[], byte[]> made, @Nullable Throwable failure) {
        connecting = false;
        if (made == null) {
            LOG.debug("Redis connection not made", failure);
            trouble = failure == null ? "" : ConnectErrorReason.of(failure);
        } else if (closed) {
            made.closeAsync();
        } else {
            tools.meters().event(Event.CONNECTED);
            redisConnection = new RedisConnection(name(), made, tools, breaker::verified);
        }
    }

    private void drop() {
        RedisConnection last = redisConnection;
        redisConnection = null;
        if (last != null) {
            last.close();
        }
    }

    void close() {
        closed = true;
        drop();
        tools.meters().gone(name());
    }

    /** Returns a short text of the state of the connection and the circuit breaker, for the operator. */
    String state() {
        return contact() + ", breaker " + breaker.state();
    }

    /** Returns a short text of the state of the connection. */
    private String contact() {
        RedisConnection connection = redisConnection;
        if (connection != null) {
            return connection.state();
        }
        return trouble.isEmpty() ? "not connected" : "not connected: " + trouble;
    }
}
