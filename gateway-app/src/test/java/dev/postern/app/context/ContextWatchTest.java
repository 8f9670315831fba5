package dev.postern.app.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContextWatchTest {

    private static final List<ContextItem> NIO =
            List.of(ContextItem.setting("transport", "epoll", "nio", "transport.kind: auto."));
    private static final List<ContextItem> EPOLL = List.of(ContextItem.setting("transport", "epoll", "epoll", ""));

    private final ContextWatch.DriftLog log = new ContextWatch.DriftLog();

    @Test
    void theMeterShowsTheCurrentState() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        List<List<ContextItem>> reports = List.of(NIO, NIO, EPOLL);
        int[] reading = {0};
        try (ContextWatch watch = new ContextWatch(List.of(() -> reports.get(reading[0]++)), null, registry)) {
            for (double expected : new double[] {1, 1, 0}) {
                watch.read();
                assertThat(registry.get("postern.context.drift")
                                .tag("item", "transport")
                                .gauge()
                                .value())
                        .isEqualTo(expected);
            }
            assertThat(watch.last()).isEqualTo(EPOLL);
        }
    }

    @Test
    void logsEachDriftOnceAndItsEndOnce() {
        assertThat(log.fresh(NIO)).hasSize(1);
        assertThat(log.fresh(NIO)).isEmpty();
        assertThat(log.mended(NIO)).isEmpty();
        assertThat(log.mended(EPOLL)).hasSize(1);
        assertThat(log.mended(EPOLL)).isEmpty();
        assertThat(log.fresh(NIO)).hasSize(1);
    }

    @Test
    void logsChangedValuesAgainExceptCosts() {
        log.fresh(List.of(ContextItem.setting("jvm.compiler", "C1 and C2", "C1", "")));
        assertThat(log.fresh(List.of(ContextItem.setting("jvm.compiler", "C1 and C2", "none", ""))))
                .hasSize(1);
        Baseline baseline = Baseline.parse("[{\"item\": \"cost.x\", \"found\": \"10\"}]");
        assertThat(log.fresh(baseline.compare(List.of(ContextItem.cost("cost.x", "12.0")))))
                .hasSize(1);
        assertThat(log.fresh(baseline.compare(List.of(ContextItem.cost("cost.x", "12.1")))))
                .isEmpty();
        assertThat(log.fresh(List.of(ContextItem.state("lag", "0", "3", false, "Look here."))))
                .hasSize(1);
        assertThat(log.fresh(List.of(ContextItem.state("lag", "0", "4", false, "Look here."))))
                .isEmpty();
        assertThat(log.fresh(List.of(ContextItem.state("lag", "0", "4", false, "Look there."))))
                .hasSize(1);
    }
}
