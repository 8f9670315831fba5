package dev.postern.core.upstream;

import dev.postern.core.metrics.BreakerMeters;
import dev.postern.core.rate.TickerClock;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Circuit breaker of an upstream: opens when most of its recent responses were failures, and after a while lets a few exchanges try.
 * Thread-safe.
 */
final class UpstreamBreaker {

    /** The library requires an exception, and reads only its class. */
    private final Exception failed = new IllegalStateException("the upstream failed");

    private final CircuitBreaker breaker;
    private final long openNanos;
    private volatile long openedAt;

    UpstreamBreaker(String upstream, UpstreamSettings.Breaker settings, Ticker ticker) {
        openNanos = settings.waitDurationInOpenState().toNanos();
        breaker = CircuitBreaker.of(
                BreakerMeters.ofUpstream(upstream),
                CircuitBreakerConfig.custom()
                        .slidingWindowType(CircuitBreakerConfig.SlidingWindowType.TIME_BASED)
                        .slidingWindowSize((int) settings.slidingWindowSize().toSeconds())
                        .minimumNumberOfCalls(settings.minimumNumberOfCalls())
                        .failureRateThreshold(
                                (float) (100 * settings.failureRateThreshold().fraction()))
                        .waitDurationInOpenState(settings.waitDurationInOpenState())
                        .permittedNumberOfCallsInHalfOpenState(settings.permittedNumberOfCallsInHalfOpenState())
                        .clock(new TickerClock(ticker))
                        .currentTimestampFunction(clock -> ticker.nanoTime(), TimeUnit.NANOSECONDS)
                        .writableStackTraceEnabled(false)
                        .build());
        breaker.getEventPublisher().onStateTransition(event -> openedAt = ticker.nanoTime());
    }

    /** Returns whether no exchange may try now, so that the gateway need not ask for a token. */
    boolean open(long now) {
        return breaker.getState() == CircuitBreaker.State.OPEN && now - openedAt < openNanos;
    }

    /** Returns whether an exchange is permitted; a permitted exchange reports its result exactly once. */
    boolean permits() {
        return breaker.tryAcquirePermission();
    }

    void succeeded() {
        breaker.onSuccess(0, TimeUnit.NANOSECONDS);
    }

    void failed() {
        breaker.onError(0, TimeUnit.NANOSECONDS, failed);
    }

    /** Releases the permission of an exchange without a result: the client left before. */
    void withdrawn() {
        breaker.releasePermission();
    }

    void register(MeterRegistry meters) {
        BreakerMeters.bind(meters, breaker.getName(), List.of(breaker));
    }

    /** Returns 0 for closed, 0.5 for half-open, 1 for open. */
    double value() {
        return switch (breaker.getState()) {
            case OPEN, FORCED_OPEN -> 1;
            case HALF_OPEN -> 0.5;
            default -> 0;
        };
    }
}
