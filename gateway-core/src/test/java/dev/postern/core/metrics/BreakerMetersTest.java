package dev.postern.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BreakerMetersTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CircuitBreaker one = CircuitBreaker.ofDefaults("one");
    private final CircuitBreaker other = CircuitBreaker.ofDefaults("other");

    private double state(String name, String state) {
        return registry.get("resilience4j.circuitbreaker.state")
                .tags("name", name, "state", state)
                .gauge()
                .value();
    }

    private double calls(String kind) {
        return registry.get("resilience4j.circuitbreaker.buffered.calls")
                .tag("kind", kind)
                .gauge()
                .value();
    }

    @Test
    void showsHowManyBreakersAreInEachState() {
        BreakerMeters.bind(registry, "store", List.of(one, other));
        assertThat(state("store", "closed")).isEqualTo(2);

        one.transitionToOpenState();
        other.transitionToOpenState();
        other.transitionToHalfOpenState();

        assertThat(state("store", "closed")).isZero();
        assertThat(state("store", "open")).isEqualTo(1);
        assertThat(state("store", "half_open")).isEqualTo(1);
    }

    @Test
    void showsTheSumOfCallsAndTheHighestRate() {
        BreakerMeters.bind(registry, "store", List.of(one, other));
        assertThat(rate()).isEqualTo(-1);

        for (int i = 0; i < 100; i++) {
            one.onSuccess(0, TimeUnit.NANOSECONDS);
        }
        for (int i = 0; i < 100; i++) {
            if (i % 4 == 0) {
                other.onError(0, TimeUnit.NANOSECONDS, new IllegalStateException());
            } else {
                other.onSuccess(0, TimeUnit.NANOSECONDS);
            }
        }

        assertThat(calls("successful")).isEqualTo(175);
        assertThat(calls("failed")).isEqualTo(25);
        assertThat(rate()).isEqualTo(25);
    }

    private double rate() {
        return registry.get("resilience4j.circuitbreaker.failure.rate").gauge().value();
    }

    @Test
    void aReusedNameShowsOnlyTheNewBreaker() {
        BreakerMeters.bind(registry, "kept", List.of(one));
        BreakerMeters.bind(registry, "store", List.of(one));
        BreakerMeters.bind(registry, "store", List.of(other));
        other.transitionToOpenState();
        assertThat(state("store", "open")).isEqualTo(1);

        BreakerMeters.remove(registry, "store");

        assertThat(registry.getMeters().stream().map(Meter::getId).map(id -> id.getTag("name")))
                .containsOnly("kept");
    }
}
