package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MetricsPageTest {
    private static final MetricsPage PAGE = MetricsPage.parse("""
            # HELP postern_spend_seconds Spend checks
            postern_spend_seconds_bucket{result="fresh",le="0.001"} 3
            postern_spend_seconds_bucket{result="fresh",le="+Inf"} 4
            postern_spend_seconds_count{result="fresh"} 4
            postern_spend_seconds_sum{result="fresh"} 0.5
            postern_spend_seconds_bucket{result="spent",le="0.001"} 7
            postern_spend_seconds_bucket{result="spent",le="+Inf"} 7
            jvm_memory_used_bytes{area="heap",id="G1 Eden Space"} 1.5E7
            jvm_memory_used_bytes{area="heap",id="G1 Old Gen"} 500000.0
            jvm_memory_used_bytes{area="nonheap",id="Metaspace"} 9.0
            jvm_memory_used_bytes_other{area="heap"} 9.0
            process_files_open_files 113.0
            """);

    @Test
    void sumsSeriesWithLabel() {
        assertThat(PAGE.sum("jvm_memory_used_bytes", "area=\"heap\"")).isEqualTo(15_500_000);
        assertThat(PAGE.sum("jvm_memory_used_bytes", "id=\"Metaspace\"")).isEqualTo(9);
        assertThat(PAGE.sum("process_files_open_files")).isEqualTo(113);
    }

    @Test
    void hasNoSumWithoutSeries() {
        assertThat(PAGE.sum("postern_room_waiting")).isNaN();
    }

    @Test
    void listsValuesOfLabel() {
        assertThat(PAGE.values("jvm_memory_used_bytes", "area")).containsExactly("heap", "nonheap");
        assertThat(PAGE.values("jvm_memory_used_bytes", "rea")).isEmpty();
    }

    @Test
    void selectsTimesByLabel() {
        assertThat(PAGE.timer("postern_spend_seconds", "result=\"fresh\"").count())
                .isEqualTo(4);
        assertThat(PAGE.timer("postern_spend_seconds", "").count()).isEqualTo(11);
    }
}
