package dev.postern.auth.spend.remote;

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
 * and throws when somebody resets it at that moment. Here it never does: {@link #tend} and {@link #reset} belong to the ledger's thread
 * and are the only ways out of open. The rest is thread-safe and doesn't throw.
 */
public final class Fuse {

    private static final long OPEN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final CircuitBreaker breaker;
    private boolean open;
    private long openSince;

    public Fuse(String name) {
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
        breaker.onError(0, TimeUnit.NANOSECONDS, new NoAnswer());
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

    /** The server is known to be back; on the ledger's thread. */
    public void reset() {
        breaker.reset();
    }

    CircuitBreaker breaker() {
        return breaker;
    }

    public String state() {
        return breaker.getState().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static final class NoAnswer extends Exception {

        private static final long serialVersionUID = 1;

        NoAnswer() {
            super("no answer", null, false, false);
        }
    }
}
