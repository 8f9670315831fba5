package dev.postern.ratelimit.redis;

import dev.postern.core.redis.RedisConnectionRule;
import dev.postern.core.redis.RedisFault;
import dev.postern.core.transport.ConnectErrorReason;
import dev.postern.ratelimit.redis.RedisClients.Line;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connector that keeps one line to Redis: connects until there is one, and replaces a line that is lost or that its rule condemns. The old
 * line is in use until the new one is connected. {@link #maintain} and {@link #close} run on one thread, which may block; the other methods
 * on any.
 */
final class LineConnector {

    private static final Logger LOG = LoggerFactory.getLogger(LineConnector.class);
    private static final String NOT_YET = "not yet";
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final long READ_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RedisClients clients;
    private final Runnable files;
    private final boolean cluster;
    private final Ticker ticker;
    private volatile @Nullable Current current;

    /** Why there is no connection; {@link ConnectErrorReason#LOST} while unknown. */
    private volatile String trouble = NOT_YET;

    private volatile boolean connecting;
    private volatile boolean closed;
    /** Last attempt to connect. */
    private volatile CompletionStage<Line> attempt = CompletableFuture.failedFuture(new IllegalStateException(NOT_YET));

    private long triedAt;
    private long readAt;

    /**
     * @param files reads login and certificates for the next connection; blocks
     * @param cluster whether the clients are for a Cluster
     */
    LineConnector(RedisClients clients, Runnable files, boolean cluster, Ticker ticker) {
        this.clients = clients;
        this.files = files;
        this.cluster = cluster;
        this.ticker = ticker;
        this.triedAt = ticker.nanoTime() - RETRY_NANOS;
        this.readAt = triedAt;
    }

    /** Line and the rule when it is replaced. */
    record Current(Line line, RedisConnectionRule rule) {

        boolean open() {
            return line.open().getAsBoolean();
        }
    }

    /** Returns the current line, which may be lost, or null before the first connection and after the end. */
    @Nullable
    Current current() {
        return current;
    }

    /** Returns why there is no connection. */
    String trouble() {
        return trouble;
    }

    /** Returns whether {@link #trouble} names a cause. */
    boolean explained() {
        String words = trouble;
        return !words.equals(NOT_YET) && !words.equals(ConnectErrorReason.LOST);
    }

    /** Connects if there is no line, or if it must be replaced. Called some times a second. */
    void maintain() {
        long now = ticker.nanoTime();
        Current last = current;
        boolean lost = last != null && !last.open();
        if (lost && trouble.isEmpty()) {
            trouble = ConnectErrorReason.LOST;
        }
        boolean wanted = last == null || lost || last.rule.replace(now);
        if (wanted && !connecting && !closed && now - triedAt >= RETRY_NANOS) {
            triedAt = now;
            connect(now);
        } else if (cluster && now - readAt >= READ_NANOS) {
            read(now); // the client of a Cluster connects to its nodes by itself, at any time
        }
    }

    private void read(long now) {
        readAt = now;
        files.run();
    }

    private void connect(long now) {
        connecting = true;
        try {
            read(now);
            attempt = clients.connect().get();
        } catch (RuntimeException e) {
            attempt = CompletableFuture.failedFuture(e);
        }
        attempt.whenComplete((made, failure) -> {
            if (failure != null) {
                LOG.debug("Redis cannot be reached; trying again", failure);
                trouble = RedisFault.connecting(failure, cluster).reason();
            } else {
                use(made);
            }
            connecting = false;
        });
    }

    private void use(Line made) {
        Current last = current;
        current = closed ? null : new Current(made, new RedisConnectionRule(ticker.nanoTime()));
        trouble = "";
        if (last != null) {
            last.line.connection().closeAsync();
        }
        if (closed) {
            made.connection().closeAsync();
        }
    }

    /** Closes the line; returns a stage that completes when no attempt to connect is pending and the client is shut down. */
    CompletionStage<Void> close() {
        closed = true;
        Current last = current;
        current = null;
        if (last != null) {
            last.line.connection().closeAsync();
        }
        return attempt.handle((made, failure) -> clients.shutdown().get()).thenCompose(done -> done);
    }
}
