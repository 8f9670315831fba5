package dev.postern.core.metrics;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Locale;
import java.util.function.ToIntFunction;

/**
 * Breaker meters: publishes circuit breakers under the names of Resilience4j's own binder, read at scrape. That binder also creates an
 * event for each call to measure its duration, which other meters of the gateway measure already.
 */
public final class BreakerMeters {

    private static final String PREFIX = "resilience4j.circuitbreaker.";

    private BreakerMeters() {}

    /** Returns the name of the circuit breaker of that upstream. */
    public static String ofUpstream(String upstream) {
        return "upstream " + upstream;
    }

    /**
     * Registers the meters of these circuit breakers, and removes earlier ones of that name.
     *
     * @param name name of the protected upstream or store
     * @param breakers one for each of its connections
     */
    public static void bind(MeterRegistry registry, String name, List<CircuitBreaker> breakers) {
        remove(registry, name);
        Tags named = Tags.of("name", name);
        for (State state : State.values()) {
            Gauge.builder(PREFIX + "state", breakers, all -> count(all, state))
                    .description("Number of circuit breakers in that state.")
                    .tags(named.and("state", state.name().toLowerCase(Locale.ROOT)))
                    .strongReference(true)
                    .register(registry);
        }
        buffered(
                registry,
                named.and("kind", "successful"),
                breakers,
                CircuitBreaker.Metrics::getNumberOfSuccessfulCalls);
        buffered(registry, named.and("kind", "failed"), breakers, CircuitBreaker.Metrics::getNumberOfFailedCalls);
        Gauge.builder(PREFIX + "failure.rate", breakers, BreakerMeters::worst)
                .description("Highest failure rate of the circuit breakers in percent; -1 before enough calls.")
                .tags(named)
                .strongReference(true)
                .register(registry);
    }

    /** Removes the meters of that name. */
    public static void remove(MeterRegistry registry, String name) {
        registry.getMeters().stream()
                .filter(meter -> meter.getId().getName().startsWith(PREFIX))
                .filter(meter -> name.equals(meter.getId().getTag("name")))
                .forEach(registry::remove);
    }

    private static void buffered(
            MeterRegistry registry,
            Tags tags,
            List<CircuitBreaker> breakers,
            ToIntFunction<CircuitBreaker.Metrics> of) {
        Gauge.builder(
                        PREFIX + "buffered.calls",
                        breakers,
                        all -> all.stream()
                                .mapToInt(breaker -> of.applyAsInt(breaker.getMetrics()))
                                .sum())
                .description("Calls in the windows of the circuit breakers.")
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private static double count(List<CircuitBreaker> breakers, State state) {
        return breakers.stream().filter(breaker -> breaker.getState() == state).count();
    }

    private static double worst(List<CircuitBreaker> breakers) {
        return breakers.stream()
                .mapToDouble(breaker -> breaker.getMetrics().getFailureRate())
                .max()
                .orElse(-1);
    }
}
