package dev.postern.auth.spend.redis;

import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.store.CompletedSpend;
import dev.postern.auth.spend.store.EventLoopDeadlines;
import dev.postern.auth.spend.store.LedgerMeters.Event;
import dev.postern.auth.spend.store.SharedInFlightLimit;
import dev.postern.auth.spend.store.StoreResources;
import dev.postern.auth.spend.store.StoreServer;
import dev.postern.core.rate.OutageLog;
import dev.postern.core.redis.RedisFault;
import dev.postern.core.transport.loop.EventLoopBatcher;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server handle of one master: holds the current connection and the circuit breaker, and replaces the connection when it is lost or its
 * {@link dev.postern.core.redis.RedisConnectionRule} says so.
 *
 * <p>{@link #maintain} and {@link #close} run on the ledger's thread; the other methods on event loops and Lettuce's threads.
 */
final class RedisServer extends StoreServer {

    private static final Logger LOG = LoggerFactory.getLogger(RedisServer.class);
    private static final int MAX_IN_BATCH = 64;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Address address;
    private final Connector connector;
    private final SpendKeys keys;
    private final SharedInFlightLimit limit = new SharedInFlightLimit();
    private final EventLoopLocal<EventLoopBatcher<PendingInsert>> batches =
            new EventLoopLocal<>(loop -> new EventLoopBatcher<>(loop, MAX_IN_BATCH, this::send));
    private volatile @Nullable RedisConnection redisConnection;
    private volatile boolean closed;

    private final OutageLog outage;
    private boolean connecting;
    private long triedAt;

    /** Connector that opens connections, as {@link RedisClient#connectAsync} does. May block before, on the ledger's thread. */
    @FunctionalInterface
    interface Connector {

        CompletionStage<StatefulRedisConnection<byte[], byte[]>> connect(RedisURI uri);
    }

    /**
     * Address of a server.
     *
     * @param name {@code host:port} or the name of the master, for logs and status pages
     * @param cluster whether the server is a node of a Cluster
     */
    record Address(String name, RedisURI uri, boolean cluster) {}

    RedisServer(Address address, StoreResources resources, Connector connector, SpendKeys keys) {
        super(address.name, resources);
        this.address = address;
        this.connector = connector;
        this.keys = keys;
        this.outage = new OutageLog(
                "Redis " + name() + " (ledger)",
                LOG::warn,
                LOG::info,
                resources.scheduler().unpaused());
        this.triedAt = resources.scheduler().nanos() - RETRY_NANOS;
        resources.meters().breakers(name(), List.of(breaker()));
    }

    /** Sends a spend together with all others of this pass, or completes it at once as UNKNOWN; on the given loop. */
    void spend(PendingInsert.Request request, EventLoop loop, long deadlineNanos, SpendListener listener) {
        if (!ready()) {
            CompletedSpend.notify(listener, CompletedSpend.UNKNOWN);
        } else if (admit(limit, listener)) {
            EventLoopDeadlines deadlines = resources().deadlines().get(loop);
            PendingInsert insert = new PendingInsert(request, this, deadlines, deadlineNanos, listener);
            deadlines.await(insert);
            batches.get(loop).add(insert);
        }
    }

    private void send(List<PendingInsert> inserts) {
        RedisConnection to = redisConnection;
        if (to == null) {
            inserts.forEach(PendingInsert::unsent);
        } else {
            to.send(inserts);
        }
    }

    /** Returns whether STORED means FRESH: the state of the ledger has not changed since the insert was sent. */
    boolean verify(PendingInsert.Request request) {
        return resources().state().isFresh(request.shard(), request.marker(), request.redemption(), request.epoch());
    }

    void leave() {
        limit.leave();
    }

    /** Continues after 1 ms: a pause of the loop is over by then. Lettuce's threads do not report when they have read. */
    @Override
    public void readReplies(EventLoop loop, Runnable continuation) {
        loop.schedule(continuation, 1, TimeUnit.MILLISECONDS);
    }

    /** Requests an early check of the server's run and epoch markers. */
    void doubt() {
        RedisConnection connection = redisConnection;
        if (connection != null) {
            connection.doubt();
        }
    }

    @Override
    public boolean ready() {
        RedisConnection connection = redisConnection;
        return connection != null && connection.ready();
    }

    /** Returns whether the server may evict spends. */
    boolean mayForget() {
        RedisConnection connection = redisConnection;
        return connection != null && connection.mayForget();
    }

    int inFlight() {
        return limit.inFlight();
    }

    String host() {
        return address.uri().getHost();
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
    void maintain(List<Integer> shards, long now) {
        breaker().maintain(now);
        RedisConnection current = redisConnection;
        if (current == null) {
            if (!connecting && now - triedAt >= RETRY_NANOS) {
                connect(now);
            }
        } else if (current.responses(now)) {
            if (!breaker().closed()) {
                current.doubt();
            }
            current.maintain(shards, now);
        } else {
            trouble(current.trouble());
            resources().meters().event(current.open() ? Event.RECREATED : Event.LOST);
            drop();
        }
        RedisConnection used = redisConnection;
        if (used != null && used.ready() && !used.refuses(now)) {
            outage.available();
        } else {
            outage.unavailable(contact(), explained());
        }
    }

    private void connect(long now) {
        connecting = true;
        triedAt = now;
        try {
            connector
                    .connect(address.uri())
                    .whenComplete((made, failure) -> resources().scheduler().now(() -> connected(made, failure)));
        } catch (RuntimeException e) {
            connected(null, e);
        }
    }

    private void connected(@Nullable StatefulRedisConnection<byte[], byte[]> made, @Nullable Throwable failure) {
        connecting = false;
        if (made == null) {
            LOG.debug("Redis connection not made", failure);
            trouble(
                    failure == null
                            ? ""
                            : RedisFault.connecting(failure, address.cluster()).reason());
        } else if (closed) {
            made.closeAsync();
        } else {
            resources().meters().event(Event.CONNECTED);
            redisConnection = new RedisConnection(address, made, resources(), keys, breaker()::verified);
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
        resources().meters().gone(name());
    }

    @Override
    protected @Nullable String connectionState() {
        RedisConnection connection = redisConnection;
        return connection == null ? null : connection.state();
    }
}
