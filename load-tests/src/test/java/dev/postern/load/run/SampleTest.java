package dev.postern.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.MetricsPage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SampleTest {
    private static final MetricsPage PAGE = MetricsPage.parse("""
        process_files_open_files 100.0
        jvm_threads_live_threads 7.0
        postern_connections 3.0
        postern_upstream_connections{state="open",upstream="app"} 2.0
        postern_upstream_connections{state="idle",upstream="app"} 50.0
        jvm_memory_used_bytes{area="heap",id="G1 Old Gen"} 1048576.0
        jvm_memory_used_bytes{area="nonheap",id="CodeHeap 'profiled nmethods'"} 1048576.0
        jvm_memory_used_bytes{area="nonheap",id="Metaspace"} 2097152.0
        """);

    @Test
    void hasTheFiguresOfThePage() {
        Sample sample = Sample.of(5, PAGE, 0);

        assertThat(sample.of(Figure.THREADS)).isEqualTo(7);
        assertThat(sample.of(Figure.HEAP_MIB)).isEqualTo(1);
        assertThat(sample.of(Figure.NON_HEAP_MIB)).isEqualTo(3);
        assertThat(sample.of(Figure.RESIDENT_MIB)).isNaN();
        assertThat(sample.descriptorsWithoutConnections()).isEqualTo(95);
    }

    @Test
    void prefersTheKernelForAProcessOfThisMachine() {
        Sample sample = Sample.of(5, PAGE, ProcessHandle.current().pid());

        assertThat(sample.of(Figure.RESIDENT_MIB)).isGreaterThan(10);
        assertThat(sample.of(Figure.THREADS)).isGreaterThan(7);
        assertThat(sample.of(Figure.CLIENT_CONNECTIONS)).isEqualTo(3);
    }

    @Test
    void returnsKnownValuesOfATime() {
        Samples samples = new Samples(List.of(sample(0, 1), sample(1, 2), new Sample(2, Map.of()), sample(3, 9)));

        assertThat(samples.values(sample -> sample.of(Figure.ROOM_ACTIVE), 1, 3).toArray())
                .containsExactly(2);
        assertThat(samples.max(Figure.ROOM_ACTIVE)).isEqualTo(9);
        assertThat(samples.max(Figure.ROOM_BOUND)).isNaN();
        assertThat(samples.columns()).containsOnlyKeys("seconds", "room-active");
    }

    private static Sample sample(int second, double active) {
        return new Sample(second, Map.of(Figure.ROOM_ACTIVE, active));
    }
}
