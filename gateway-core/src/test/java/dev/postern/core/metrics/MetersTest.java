package dev.postern.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MetersTest {

    /** Micrometer has only a weak reference to the object that such a counter reads; this must be the only other reference. */
    @Test
    void keepsObjectsReadAtScrapeAlive() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        LongAdder connects = new LongAdder();
        LongAdder idle = new LongAdder();
        Meters.UPSTREAM_CONNECTS.count(registry, connects::sum, "app", "ok");
        Meters.UPSTREAM_CONNECTIONS.gauge(registry, idle::sum, "app", "idle");
        collectGarbage();
        connects.add(3);
        idle.add(4);

        assertThat(registry.get("postern.upstream.connects").functionCounter().count())
                .isEqualTo(3);
        assertThat(registry.get("postern.upstream.connections").gauge().value()).isEqualTo(4);
    }

    private static void collectGarbage() {
        @Nullable Object lost = new Object();
        WeakReference<Object> reference = new WeakReference<>(lost);
        lost = null;
        for (int i = 0; i < 1_000 && reference.get() != null; i++) {
            System.gc();
        }
        assertThat(reference.get()).isNull();
    }
}
