package dev.postern.ratelimit.redis;

import dev.postern.core.config.RedisSettings;
import dev.postern.core.metrics.BreakerMeters;
import dev.postern.core.rate.OutageLog;
import dev.postern.core.rate.TickerClock;
import dev.postern.core.transport.ConnectErrorReason;
import dev.postern.ratelimit.redis.RedisClients.Line;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.event.Event;
import io.lettuce.core.event.connection.DisconnectedEvent;
import io.lettuce.core.event.connection.ReconnectFailedEvent;
import io.lettuce.core.metrics.MicrometerCommandLatencyRecorder;
import io.lettuce.core.metrics.MicrometerOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection to Redis for rooms and limits: scripts called by SHA-1, explicit flush, no repeated calls, and no calls while disconnected.
 *
 * <p>Thread-safe. Responses arrive on Lettuce's threads; the caller returns to its event loop and applies its own deadline.
 */
final class RedisRoomConnection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RedisRoomConnection.class);
    private static final Duration RECONNECT = Duration.ofMillis(250);
    /** A time that no ticker reaches: the last call had a response. */
    private static final long NONE = Long.MIN_VALUE;

    private static final long REMEMBERED_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int QUEUE = 4096;
    private static final long WATCH_MILLIS = 200;
    private static final int CLOSE_SECONDS = 2;

    private final ClientResources resources;
    private final RedisClients clients;
    private final EventLoopGroup loops;
    private final Ticker ticker;
    private final CircuitBreaker breaker;
    private final RedisURI address;
    private final OutageLog outage;
    private final Future<?> watching;
    private volatile @Nullable Line line;

    /** Why there is no connection. */
    private volatile String trouble = "not yet";

    /** Time of the last call if it had no response, of the ticker; otherwise {@link #NONE}. */
    private volatile long unansweredAt = NONE;

    private volatile boolean closed;

    /** Last attempt to connect. */
    private volatile CompletionStage<Line> connecting = new CompletableFuture<>();

    RedisRoomConnection(RedisSettings settings, EventLoopGroup loops, MeterRegistry registry) {
        this.loops = loops;
        this.ticker = loops.ticker();
        resources = ClientResources.builder()
                .commandLatencyRecorder(new MicrometerCommandLatencyRecorder(registry, MicrometerOptions.create()))
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .reconnectDelay(Delay.constant(RECONNECT))
                .build();
        clients = settings.cluster()
                ? RedisClients.cluster(resources, settings.uri(), options(ClusterClientOptions.builder(), settings))
                : RedisClients.single(resources, settings.uri(), options(ClientOptions.builder(), settings));
        breaker = CircuitBreaker.of("rooms", breakerConfig(ticker));
        BreakerMeters.bind(registry, breaker.getName(), List.of(breaker));
        address = RedisURI.create(settings.uri());
        outage = new OutageLog("Redis " + address() + " (rooms)", LOG::warn, LOG::info, ticker);
        resources.eventBus().get().subscribe(this::notice);
        watching = loops.next().scheduleAtFixedRate(this::watch, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
        connect();
    }

    /** Returns host and port as configured. */
    String address() {
        return address.getHost() + ":" + address.getPort();
    }

    /** Returns a short text of the state, for the operator. */
    String state() {
        Line current = line;
        if (current == null || !current.open().getAsBoolean()) {
            return "not connected: " + trouble;
        }
        return breaker.getState() == CircuitBreaker.State.CLOSED ? "connected" : "connected, no response in time";
    }

    private void notice(Event event) {
        if (event instanceof ReconnectFailedEvent failed) {
            trouble = ConnectErrorReason.of(failed.getCause());
        } else if (event instanceof DisconnectedEvent && line != null) {
            trouble = ConnectErrorReason.LOST; // before the first connection, connect() sets the reason
        }
    }

    private void watch() {
        Line current = line;
        CircuitBreaker.State calls = breaker.getState();
        if (current == null || !current.open().getAsBoolean() || calls == CircuitBreaker.State.OPEN) {
            outage.unavailable(state(), !trouble.equals(ConnectErrorReason.LOST));
        } else if (calls == CircuitBreaker.State.CLOSED) {
            outage.available();
        }
    }

    private static <B extends ClientOptions.Builder> B options(B builder, RedisSettings settings) {
        builder.autoReconnect(true)
                .replayFilter(command -> true) // no command is sent again: the script may have run already
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(QUEUE)
                .timeoutOptions(TimeoutOptions.enabled(settings.deadline().multipliedBy(4)))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(Duration.ofSeconds(1))
                        .tcpNoDelay(true)
                        .keepAlive(true)
                        .build());
        return builder;
    }

    private static CircuitBreakerConfig breakerConfig(Ticker ticker) {
        return CircuitBreakerConfig.custom()
                .slidingWindowType(CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
                .slidingWindowSize(10)
                .minimumNumberOfCalls(5)
                .failureRateThreshold(50)
                .waitDurationInOpenState(Duration.ofMillis(500))
                .permittedNumberOfCallsInHalfOpenState(1)
                .clock(new TickerClock(ticker))
                .currentTimestampFunction(clock -> ticker.nanoTime(), TimeUnit.NANOSECONDS)
                .build();
    }

    /** Returns whether a call may be made. If true, the caller must call {@link #succeeded} or {@link #failed} once. */
    boolean permits() {
        return line != null && breaker.tryAcquirePermission();
    }

    void succeeded(long nanos) {
        unansweredAt = NONE;
        breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
    }

    void failed(long nanos, String reason) {
        unansweredAt = ticker.nanoTime();
        breaker.onError(nanos, TimeUnit.NANOSECONDS, new RedisException(reason));
    }

    /** Returns whether the connection is open and the last call had a response. A failure counts for 10 s if no other call follows. */
    boolean healthy() {
        Line current = line;
        long failed = unansweredAt;
        return current != null
                && current.open().getAsBoolean()
                && breaker.getState() != CircuitBreaker.State.OPEN
                && (failed == NONE || ticker.nanoTime() - failed > REMEMBERED_NANOS);
    }

    /** Writes a call, which the next {@link #flush} sends. The callback takes the response, or null when there is none. */
    void call(Script script, String[] keys, String[] arguments, Consumer<@Nullable List<Object>> response) {
        Line current = line;
        if (current == null) {
            response.accept(null);
            return;
        }
        current.scripts()
                .<List<Object>>evalsha(script.sha(), ScriptOutputType.MULTI, keys, arguments)
                .whenComplete((result, failure) -> {
                    if (failure instanceof RedisNoScriptException) {
                        // The script did not run, so the call may be sent again, with the text of the script.
                        send(current, script, keys, arguments, response);
                        current.flush().run();
                    } else {
                        response.accept(failure == null ? result : noResponse(failure));
                    }
                });
    }

    void flush() {
        Line current = line;
        if (current != null) {
            current.flush().run();
        }
    }

    @Override
    public void close() {
        closed = true;
        watching.cancel(false);
        Line current = line;
        line = null;
        if (current != null) {
            current.connection().closeAsync();
        }
        // Client before resources: the library logs a stack trace when it still needs threads that are gone.
        connecting
                .handle((made, failure) -> clients.shutdown().get())
                .thenCompose(done -> done)
                .whenComplete((done, failure) -> resources.shutdown(0, 1, TimeUnit.SECONDS))
                .exceptionally(failure -> null)
                .toCompletableFuture()
                .completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    private static void send(
            Line line, Script script, String[] keys, String[] arguments, Consumer<@Nullable List<Object>> response) {
        line.scripts()
                .<List<Object>>eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
                .whenComplete((result, failure) -> response.accept(failure == null ? result : noResponse(failure)));
    }

    private static @Nullable List<Object> noResponse(Throwable failure) {
        LOG.debug("no response from Redis: {}", failure.toString());
        return null;
    }

    private void connect() {
        if (closed) {
            return;
        }
        connecting = clients.connect().get();
        connecting.whenComplete((made, failure) -> {
            if (failure != null) {
                LOG.debug("Redis can't be reached; trying again", failure);
                trouble = ConnectErrorReason.of(failure);
                loops.next().schedule(this::connect, RECONNECT.toMillis(), TimeUnit.MILLISECONDS);
            } else {
                line = made;
                if (closed) {
                    made.connection().closeAsync();
                }
            }
        });
    }
}
