package dev.postern.core.upstream.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.upstream.share.Preemption;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class UpstreamStatsTest {

    private final UpstreamStats stats = new UpstreamStats();

    /** Returns the meters that are not zero, by name and last tag. */
    private Map<String, Double> meters() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        stats.register(registry, "app");
        Map<String, Double> values = new TreeMap<>();
        registry.forEachMeter(meter -> {
            double value = meter.measure().iterator().next().getValue();
            if (value != 0) {
                String last = meter.getId().getTags().stream()
                        .filter(tag -> !tag.getKey().equals("upstream"))
                        .map(tag -> " " + tag.getValue())
                        .reduce("", String::concat);
                values.put(meter.getId().getName() + last, value);
            }
        });
        return values;
    }

    private static void assertCounts(String meter, Consumer<UpstreamStats> event) {
        UpstreamStatsTest one = new UpstreamStatsTest();
        event.accept(one.stats);
        event.accept(one.stats);
        assertThat(one.meters()).containsExactly(Map.entry(meter, 2.0));
    }

    @Test
    void eachEventHasItsMeter() {
        assertCounts("postern.upstream.connects ok", stats -> stats.connect(true));
        assertCounts("postern.upstream.connects failed", stats -> stats.connect(false));
        assertCounts("postern.upstream.requests", stats -> stats.request(false));
        assertCounts("postern.upstream.retries sent", stats -> stats.retry(true));
        assertCounts("postern.upstream.retries over-budget", stats -> stats.retry(false));
        assertCounts("postern.upstream.retries stale", UpstreamStats::stale);
        assertCounts("postern.upstream.preempted client-wait", stats -> stats.preempted(Preemption.CLIENT));
        assertCounts("postern.upstream.preempted network-share", stats -> stats.preempted(Preemption.SHARE));
    }

    @Test
    void theRatioOfReuseIsThatOfAllRequests() {
        assertThat(stats.reuseRatio()).as("without requests").isZero();
        stats.request(false);
        stats.request(true);
        stats.request(true);
        stats.request(true);
        assertThat(stats.reuseRatio()).isEqualTo(0.75);
        assertThat(stats.requests()).isEqualTo(4);
        assertThat(meters()).containsEntry("postern.upstream.reuse", 3.0);
    }

    @Test
    void countsOnlyConnectionsThatWereOpened() {
        stats.connect(true);
        stats.connect(false);
        assertThat(stats.connects()).isEqualTo(1);
    }
}
