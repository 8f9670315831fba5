package dev.postern.ratelimit.redis;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway's own connection to Redis: scripts by name, flushed by hand, never sent twice, refused while the line is down.
 *
 * <p>Thread-safe. Answers come on Lettuce's threads; whoever asks goes back to its loop itself and keeps its own deadline.
 */
final class RedisLink implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RedisLink.class);
    private static final Duration RECONNECT = Duration.ofMillis(250);
    private static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int QUEUE = 4096;

    private final ClientResources resources;
    private final RedisClient client;
    private final RedisURI uri;
    private final EventLoopGroup loops;
    private final CircuitBreaker breaker;
    private volatile @Nullable StatefulRedisConnection<String, String> connection;
    /** When a call went unanswered, of {@link System#nanoTime} and never 0; 0 when the last one was answered. */
    private volatile long unansweredAt;

    private volatile boolean closed;

    RedisLink(RedisSettings settings, EventLoopGroup loops) {
        this.loops = loops;
        resources = ClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .reconnectDelay(Delay.constant(RECONNECT))
                .build();
        uri = RedisURI.create(settings.uri());
        client = RedisClient.create(resources);
        client.setOptions(options(settings.deadline()));
        breaker = CircuitBreaker.of("redis", breakerConfig());
        connect();
    }

    private static ClientOptions options(Duration deadline) {
        return ClientOptions.builder()
                .autoReconnect(true)
                .replayFilter(command -> true) // nothing is sent again: a decision may have been taken already
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(QUEUE)
                .timeoutOptions(TimeoutOptions.enabled(deadline.multipliedBy(4)))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(Duration.ofSeconds(1))
                        .tcpNoDelay(true)
                        .keepAlive(true)
                        .build())
                .build();
    }

    private static CircuitBreakerConfig breakerConfig() {
        return CircuitBreakerConfig.custom()
                .slidingWindowType(CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
                .slidingWindowSize(10)
                .minimumNumberOfCalls(5)
                .failureRateThreshold(50)
                .waitDurationInOpenState(Duration.ofMillis(500))
                .permittedNumberOfCallsInHalfOpenState(1)
                .build();
    }

    /** Whether a call may be made now; whoever was told yes reports {@link #succeeded} or {@link #failed} once. */
    boolean permits() {
        return connection != null && breaker.tryAcquirePermission();
    }

    void succeeded(long nanos) {
        unansweredAt = 0;
        breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
    }

    void failed(long nanos, String why) {
        unansweredAt = System.nanoTime() | 1;
        breaker.onError(nanos, TimeUnit.NANOSECONDS, new RedisException(why));
    }

    /** Whether the line is up and the last call was answered; a failure that nothing followed is forgotten after a while. */
    boolean healthy() {
        StatefulRedisConnection<String, String> now = connection;
        long failed = unansweredAt;
        return now != null
                && now.isOpen()
                && breaker.getState() != CircuitBreaker.State.OPEN
                && (failed == 0 || System.nanoTime() - failed > REMEMBERED_NANOS);
    }

    /** Writes a call; it goes out with the next {@link #flush}. The answer is null when there was none. */
    void call(Script script, String[] keys, String[] arguments, Consumer<@Nullable List<Object>> answer) {
        StatefulRedisConnection<String, String> now = connection;
        if (now == null) {
            answer.accept(null);
            return;
        }
        now.async()
                .<List<Object>>evalsha(script.sha(), ScriptOutputType.MULTI, keys, arguments)
                .whenComplete((result, failure) -> {
                    if (failure instanceof RedisNoScriptException) {
                        // Nothing was run, so this may be sent again, with its text.
                        send(now, script, keys, arguments, answer);
                        now.flushCommands();
                    } else {
                        answer.accept(failure == null ? result : noAnswer(failure));
                    }
                });
    }

    void flush() {
        StatefulRedisConnection<String, String> now = connection;
        if (now != null) {
            now.flushCommands();
        }
    }

    @Override
    public void close() {
        closed = true;
        StatefulRedisConnection<String, String> now = connection;
        connection = null;
        if (now != null) {
            now.closeAsync();
        }
        client.shutdownAsync(0, 1, TimeUnit.SECONDS);
        resources.shutdown(0, 1, TimeUnit.SECONDS);
    }

    private static void send(
            StatefulRedisConnection<String, String> connection,
            Script script,
            String[] keys,
            String[] arguments,
            Consumer<@Nullable List<Object>> answer) {
        connection
                .async()
                .<List<Object>>eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
                .whenComplete((result, failure) -> answer.accept(failure == null ? result : noAnswer(failure)));
    }

    private static @Nullable List<Object> noAnswer(Throwable failure) {
        LOG.debug("no answer from Redis: {}", failure.toString());
        return null;
    }

    private void connect() {
        if (closed) {
            return;
        }
        client.connectAsync(StringCodec.UTF8, uri).whenComplete((made, failure) -> {
            if (failure != null) {
                LOG.warn("Redis can't be reached; trying again: {}", failure.getMessage());
                loops.next().schedule(this::connect, RECONNECT.toMillis(), TimeUnit.MILLISECONDS);
            } else {
                made.setAutoFlushCommands(false);
                connection = made;
                if (closed) {
                    made.closeAsync();
                }
            }
        });
    }
}
