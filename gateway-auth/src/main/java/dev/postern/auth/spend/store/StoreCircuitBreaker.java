package dev.postern.auth.spend.store;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Resilience4j's circuit breaker for one server, by hand: after many failures nobody waits for it, until a few probes got through.
 *
 * <p>Left to itself the breaker goes from open to half-open within a caller's question, on whichever thread asks; there it takes a lock,
 * and throws when somebody resets it at that moment. Here it never does: {@link #tend} and {@link #verified} belong to the ledger's
 * thread and are the only ways out of open. The rest is thread-safe and doesn't throw.
 *
 * <p>Half-open it remembers the results of probes until it has as many as it wants, which with few spends may be hours: failures from
 * before the server came back would open it once more. Resilience4j can only bound that time by opening the breaker again. So the check of
 * the server's mark, which goes over the same connection, is the probe that counts: {@link #verified} closes the breaker with nothing
 * remembered, by resilience4j's own {@code reset}.
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

    /** Whether to ask the server; then {@link #good} or {@link #bad} follows. */
    public boolean tryEnter() {
        return breaker.tryAcquirePermission();
    }

    public void good() {
        breaker.onSuccess(0, TimeUnit.NANOSECONDS);
    }

    public void bad() {
        breaker.onError(0, TimeUnit.NANOSECONDS, new NoResponse());
    }

    /** Lets some probes through half a second after it opened; on the ledger's thread. */
    public void tend(long nowNanos) {
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

    /** Whether spends go to the server without restraint. */
    public boolean closed() {
        return breaker.getState() == State.CLOSED;
    }

    /**
     * As {@link Verified}; on the ledger's thread. Where the server was away, or answered in a time that a spend would have waited for,
     * failures from before count no more; one that is too slow for spends stays left alone.
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
