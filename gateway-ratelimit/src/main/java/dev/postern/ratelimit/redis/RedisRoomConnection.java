package dev.postern.ratelimit.redis;

import dev.postern.core.config.RedisSettings;
import dev.postern.core.dns.NameServers;
import dev.postern.core.metrics.BreakerMeters;
import dev.postern.core.rate.OutageLog;
import dev.postern.core.rate.TickerClock;
import dev.postern.core.redis.RedisFault;
import dev.postern.core.redis.RedisTarget;
import dev.postern.ratelimit.redis.LineConnector.Current;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.metrics.MicrometerCommandLatencyRecorder;
import io.lettuce.core.metrics.MicrometerOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
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

    /** Time after an error reply for which Redis counts as unavailable in the log. */
    private static final long FAULTY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int QUEUE = 4096;
    private static final long WATCH_MILLIS = 200;
    private static final int CLOSE_SECONDS = 2;

    private final ClientResources resources;
    private final LineConnector connector;
    private final Ticker ticker;
    private final CircuitBreaker breaker;
    private final boolean cluster;
    private final String name;
    private final OutageLog outage;
    private final MemoryWatch memory;
    /** Maintains the connection: this reads files, so it is not for event loops. */
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("postern-rooms", true));

    /** Time of the last call if it had no response, of the ticker; otherwise {@link #NONE}. */
    private volatile long unansweredAt = NONE;

    /** Last fault of a call; null without one. */
    private volatile @Nullable Faulted faulted;

    RedisRoomConnection(RedisStoreSettings store, Ticker ticker, MeterRegistry registry) {
        RedisSettings settings = store.redis();
        this.ticker = ticker;
        this.cluster = settings.cluster();
        RedisTarget target = new RedisTarget(settings);
        LettuceTarget lettuce = LettuceTarget.of(target);
        name = target.name();
        resources = resources(registry, store.nameServers());
        RedisClients clients = cluster
                ? RedisClients.cluster(
                        resources, lettuce.uri(), options(ClusterClientOptions.builder(), settings, lettuce.ssl()))
                : RedisClients.single(
                        resources, lettuce.uri(), options(ClientOptions.builder(), settings, lettuce.ssl()));
        connector = new LineConnector(clients, target::read, cluster, ticker);
        breaker = CircuitBreaker.of("rooms", breakerConfig(ticker));
        BreakerMeters.bind(registry, breaker.getName(), List.of(breaker));
        outage = new OutageLog("Redis " + name + " (rooms)", LOG::warn, LOG::info, ticker);
        memory = new MemoryWatch(registry);
        thread.scheduleWithFixedDelay(this::watch, 0, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static ClientResources resources(MeterRegistry registry, @Nullable NameServers nameServers) {
        ClientResources.Builder builder = ClientResources.builder()
                .commandLatencyRecorder(new MicrometerCommandLatencyRecorder(registry, MicrometerOptions.create()))
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .reconnectDelay(Delay.constant(RECONNECT));
        return (nameServers == null ? builder : builder.addressResolverGroup(nameServers.stores())).build();
    }

    /** Fault of a call on a connection, and its time. */
    private record Faulted(RedisFault fault, Current connection, long at) {}

    /** Returns host and port as configured, or the name of the master. */
    String address() {
        return name;
    }

    /** Returns a short text of the state, for the operator. */
    String state() {
        Current current = connector.current();
        if (current == null || !current.open()) {
            return "not connected: " + connector.trouble();
        }
        Faulted last = faulted;
        if (last == null || ticker.nanoTime() - last.at > REMEMBERED_NANOS) {
            return memory.objection().isEmpty() ? "connected" : "connected, " + memory.objection();
        }
        if (last.fault.reply()) {
            return "not usable: " + last.fault.reason();
        }
        return breaker.getState() == CircuitBreaker.State.CLOSED ? "connected" : "connected, " + last.fault.reason();
    }

    private void watch() {
        try {
            maintain();
        } catch (RuntimeException e) {
            LOG.error("connection to Redis not maintained; trying again", e); // thrown on, it would end all rounds
        }
    }

    private void maintain() {
        connector.maintain();
        Current current = connector.current();
        CircuitBreaker.State calls = breaker.getState();
        boolean open = current != null && current.open();
        if (current != null && open) {
            memory.look(current.line().connection(), name, ticker.nanoTime());
        }
        if (!open || calls == CircuitBreaker.State.OPEN || faulty()) {
            outage.unavailable(state(), connector.explained());
        } else if (calls == CircuitBreaker.State.CLOSED) {
            outage.available();
        }
    }

    /** Returns whether the server refused a call a short time ago; calls that succeed beside do not matter. */
    private boolean faulty() {
        Faulted last = faulted;
        return last != null && last.fault.reply() && ticker.nanoTime() - last.at < FAULTY_NANOS;
    }

    private static <B extends ClientOptions.Builder> B options(B builder, RedisSettings settings, SslOptions ssl) {
        builder.replayFilter(command -> true) // no command is sent again: the script may have run already
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(QUEUE)
                .timeoutOptions(TimeoutOptions.enabled(settings.deadline().multipliedBy(4)))
                .sslOptions(ssl)
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
        return connector.current() != null && breaker.tryAcquirePermission();
    }

    void succeeded(long nanos) {
        unansweredAt = NONE;
        breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
    }

    void failed(long nanos) {
        unansweredAt = ticker.nanoTime();
        breaker.onError(nanos, TimeUnit.NANOSECONDS, new RedisException("no response"));
    }

    /** Takes that a call had no response before its deadline. */
    void silent() {
        Current current = connector.current();
        if (current != null) {
            fault(current, RedisFault.SILENCE);
        }
    }

    /** Returns whether the connection is open and the last call had a response. A failure counts for 10 s if no other call follows. */
    boolean healthy() {
        Current current = connector.current();
        long failed = unansweredAt;
        return current != null
                && current.open()
                && breaker.getState() != CircuitBreaker.State.OPEN
                && (failed == NONE || ticker.nanoTime() - failed > REMEMBERED_NANOS);
    }

    /** Writes a call, which the next {@link #flush} sends. The callback takes the response, or null when there is none. */
    void call(Script script, String[] keys, String[] arguments, Consumer<@Nullable List<Object>> response) {
        Current current = connector.current();
        if (current == null) {
            response.accept(null);
            return;
        }
        current.line()
                .scripts()
                .<List<Object>>evalsha(script.sha(), ScriptOutputType.MULTI, keys, arguments)
                .whenComplete((result, failure) -> {
                    if (failure instanceof RedisNoScriptException) {
                        // The script did not run, so the call may be sent again, with the text of the script.
                        send(current, script, keys, arguments, response);
                        current.line().flush().run();
                    } else {
                        response.accept(received(current, result, failure));
                    }
                });
    }

    void flush() {
        Current current = connector.current();
        if (current != null) {
            current.line().flush().run();
        }
    }

    @Override
    public void close() {
        if (thread.isShutdown()) {
            return;
        }
        // After the last round, which may connect. Client before resources: the library logs a stack trace when it
        // still needs threads that are gone.
        CompletableFuture.supplyAsync(connector::close, thread)
                .thenCompose(closed -> closed)
                .whenComplete((done, failure) -> resources.shutdown(0, 1, TimeUnit.SECONDS))
                .exceptionally(failure -> null)
                .completeOnTimeout(null, CLOSE_SECONDS, TimeUnit.SECONDS)
                .join();
        thread.shutdown();
    }

    private void send(
            Current current,
            Script script,
            String[] keys,
            String[] arguments,
            Consumer<@Nullable List<Object>> response) {
        current.line()
                .scripts()
                .<List<Object>>eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
                .whenComplete((result, failure) -> response.accept(received(current, result, failure)));
    }

    private @Nullable List<Object> received(
            Current current, @Nullable List<Object> result, @Nullable Throwable failure) {
        if (failure == null) {
            good(current);
            return result;
        }
        LOG.debug("no response from Redis: {}", failure.toString());
        fault(current, RedisFault.of(failure, cluster));
        return null;
    }

    private void good(Current current) {
        current.rule().good();
        Faulted last = faulted;
        if (last != null && last.connection.rule() != current.rule()) {
            faulted = null; // of a connection that was replaced
        }
    }

    private void fault(Current current, RedisFault fault) {
        long now = ticker.nanoTime();
        current.rule().bad(fault, now);
        Current used = connector.current();
        if (used != null && used.rule() == current.rule()) {
            faulted = new Faulted(fault, current, now);
        }
    }
}
