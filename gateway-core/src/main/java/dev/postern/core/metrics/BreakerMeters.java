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
 * Shows circuit breakers by the names that Resilience4j's own binder gives them, read at scrape. That binder also has an event made for each
 * call in order to time it, and the times are known already.
 */
public final class BreakerMeters {

    private static final String PREFIX = "resilience4j.circuitbreaker.";

    private BreakerMeters() {}

    /** What the breaker of that upstream is called. */
    public static String ofUpstream(String upstream) {
        return "upstream " + upstream;
    }

    /**
     * Shows these, in place of those that had the name before.
     *
     * @param name of what they guard
     * @param breakers one for each connection to it
     */
    public static void bind(MeterRegistry registry, String name, List<CircuitBreaker> breakers) {
        remove(registry, name);
        Tags named = Tags.of("name", name);
        for (State state : State.values()) {
            Gauge.builder(PREFIX + "state", breakers, all -> count(all, state))
                    .description("How many of the circuit breakers are in that state.")
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
                .description("Share of failures in percent, of the worst of them; -1 before there were enough calls.")
                .tags(named)
                .strongReference(true)
                .register(registry);
    }

    /** Takes what has that name away. */
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
                .description("Calls that the circuit breakers judge by now.")
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
