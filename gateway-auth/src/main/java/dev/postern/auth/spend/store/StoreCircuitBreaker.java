package dev.postern.auth.spend.store;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Circuit breaker for one server, of Resilience4j with explicit transitions: after many failures spends do not wait for the server, until
 * some probes succeed.
 *
 * <p>By default, a Resilience4j breaker changes from open to half-open inside a call for a permission, on the thread of the caller. There
 * the breaker takes a lock, and throws if {@code reset} is called at the same time. Here this never happens: only {@link #maintain} and
 * {@link #verified}, which run on the ledger's thread, leave the open state. The other methods are thread-safe and don't throw.
 *
 * <p>A half-open breaker keeps the results of probes until their configured number is reached, which may take hours when there are few
 * spends: failures from before the server came back would open the breaker again. Resilience4j can limit this time only by opening the
 * breaker. Therefore the check of the server's epoch marker, on the same connection, is the decisive probe: {@link #verified} closes the
 * breaker and drops all results, by Resilience4j's {@code reset}.
 */
public final class StoreCircuitBreaker {

    private static final long OPEN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final CircuitBreaker breaker;
    private final long deadlineNanos;
    private boolean open;
    private long openSince;

    /** @param deadline of a spend */
    public StoreCircuitBreaker(String name, Duration deadline) {
        deadlineNanos = deadline.toNanos();
        breaker = CircuitBreaker.of(
                name,
                CircuitBreakerConfig.custom()
                        .slidingWindowType(CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
                        .slidingWindowSize(64)
                        .minimumNumberOfCalls(32)
                        .failureRateThreshold(50)
                        .waitDurationInOpenState(Duration.ofDays(10_000))
                        .permittedNumberOfCallsInHalfOpenState(16)
                        .build());
    }

    /** Returns whether a spend may be sent to the server. If true, {@link #good} or {@link #bad} must follow. */
    public boolean tryEnter() {
        return breaker.tryAcquirePermission();
    }

    public void good() {
        breaker.onSuccess(0, TimeUnit.NANOSECONDS);
    }

    public void bad() {
        breaker.onError(0, TimeUnit.NANOSECONDS, new NoResponse());
    }

    /** Changes to half-open 500 ms after the breaker opened. On the ledger's thread. */
    public void maintain(long nowNanos) {
        if (breaker.getState() != State.OPEN) {
            open = false;
        } else if (!open) {
            open = true;
            openSince = nowNanos;
        } else if (nowNanos - openSince >= OPEN_NANOS) {
            open = false;
            breaker.transitionToHalfOpenState();
        }
    }

    /** Returns whether the breaker is closed, so that all spends are sent to the server. */
    public boolean closed() {
        return breaker.getState() == State.CLOSED;
    }

    /**
     * Takes the result of a check, as {@link Verified} does. On the ledger's thread. If the server was away, or responded within the
     * deadline of a spend, earlier failures are dropped. If the server is too slow for spends, the breaker keeps its state.
     */
    public void verified(boolean wasAway, long nanos) {
        if (wasAway || nanos <= deadlineNanos && !closed()) {
            breaker.reset();
        }
    }

    CircuitBreaker breaker() {
        return breaker;
    }

    public String state() {
        return breaker.getState().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static final class NoResponse extends Exception {

        private static final long serialVersionUID = 1;

        NoResponse() {
            super("no response", null, false, false);
        }
    }
}
