package dev.postern.core.overload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.KeyDefaults;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OverloadWatchTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LoadShedState state = new LoadShedState();
    private final Map<OverloadResource, Double> figures = new EnumMap<>(
            Map.of(OverloadResource.HEAP, 0.0, OverloadResource.DIRECT_MEMORY, 0.0, OverloadResource.LOOP_LAG, 0.0));
    private final OverloadWatch watch = new OverloadWatch(
            KeyDefaults.of(OverloadSettings.class),
            state,
            Map.of(
                    OverloadResource.HEAP, figure(OverloadResource.HEAP),
                    OverloadResource.DIRECT_MEMORY, figure(OverloadResource.DIRECT_MEMORY),
                    OverloadResource.LOOP_LAG, figure(OverloadResource.LOOP_LAG)),
            registry);

    private DoubleSupplier figure(OverloadResource resource) {
        return () -> figures.getOrDefault(resource, 0.0);
    }

    private void samples(int times) {
        for (int i = 0; i < times; i++) {
            watch.check();
        }
    }

    private double gauge(String meter, OverloadResource resource) {
        return registry.get(meter).tag("resource", resource.label()).gauge().value();
    }

    @AfterEach
    void close() {
        watch.close();
    }

    @Test
    void acceptsWhileNoResourceIsScarce() {
        samples(1);
        assertThat(state.on()).isFalse();
        assertThat(state.reason()).isEmpty();
    }

    @Test
    void namesTheScarceResources() {
        figures.put(OverloadResource.DIRECT_MEMORY, 0.93);
        samples(1);
        assertThat(state.reason()).isEqualTo("direct-memory");
        assertThat(gauge("postern.overload.usage", OverloadResource.DIRECT_MEMORY))
                .isEqualTo(0.93);
        assertThat(gauge("postern.overload.shedding", OverloadResource.DIRECT_MEMORY))
                .isEqualTo(1);
        assertThat(gauge("postern.overload.shedding", OverloadResource.HEAP)).isZero();
    }

    @Test
    void lastsUntilTheLastResourceRecovers() {
        figures.put(OverloadResource.HEAP, 0.95);
        figures.put(OverloadResource.LOOP_LAG, 0.3);
        samples(3);
        assertThat(state.reason()).isEqualTo("heap"); // event loop lag needs more samples
        samples(1);
        assertThat(state.reason()).isEqualTo("heap+loop-lag");
        figures.put(OverloadResource.HEAP, 0.1);
        samples(Hysteresis.QUIET);
        assertThat(state.reason()).isEqualTo("loop-lag");
        figures.put(OverloadResource.LOOP_LAG, 0.0);
        samples(Hysteresis.QUIET);
        assertThat(state.on()).isFalse();
        assertThat(gauge("postern.overload.shedding", OverloadResource.LOOP_LAG))
                .isZero();
    }

    @Test
    void continuesWhenAFigureCannotBeRead() {
        OverloadWatch broken = new OverloadWatch(
                KeyDefaults.of(OverloadSettings.class),
                state,
                Map.of(OverloadResource.HEAP, () -> {
                    throw new IllegalStateException("planted");
                }),
                registry);
        broken.check();
        broken.close();
        assertThat(state.on()).isFalse();
    }
}
