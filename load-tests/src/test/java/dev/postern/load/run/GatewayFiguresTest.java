package dev.postern.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.MetricsPage;
import dev.postern.load.measure.Table;
import org.junit.jupiter.api.Test;

class GatewayFiguresTest {
    private static final String BEFORE = """
            postern_exchanges_total{listener="web",outcome="complete",route="/",status="200"} 10.0
            postern_exchange_stage_seconds_bucket{stage="spend",le="0.001"} 10
            postern_exchange_stage_seconds_bucket{stage="spend",le="0.002"} 10
            postern_exchange_stage_seconds_bucket{stage="spend",le="+Inf"} 10
            postern_exchange_stage_seconds_bucket{stage="turn",le="0.001"} 5
            postern_exchange_stage_seconds_bucket{stage="turn",le="+Inf"} 5
            jvm_memory_used_bytes{area="heap",id="G1 Old Gen"} 1048576.0
            process_files_open_files 100.0
            """;

    private static final String AFTER = """
            postern_exchanges_total{listener="web",outcome="complete",route="/",status="200"} 13.0
            postern_exchanges_total{listener="tls",outcome="complete",route="/",status="200"} 4.0
            postern_exchanges_total{listener="web",outcome="refused",route="/",status="401"} 2.0
            postern_exchange_stage_seconds_bucket{stage="spend",le="0.001"} 10
            postern_exchange_stage_seconds_bucket{stage="spend",le="0.002"} 110
            postern_exchange_stage_seconds_bucket{stage="spend",le="+Inf"} 110
            postern_exchange_stage_seconds_bucket{stage="turn",le="0.001"} 5
            postern_exchange_stage_seconds_bucket{stage="turn",le="+Inf"} 5
            jvm_memory_used_bytes{area="heap",id="G1 Old Gen"} 2097152.0
            process_files_open_files 120.0
            """;

    private final String rows = rows();

    private static String rows() {
        Table table = new Table();
        new GatewayFigures(MetricsPage.parse(BEFORE), MetricsPage.parse(AFTER)).addTo(table);
        return table.toString().replaceAll(" +", " ");
    }

    @Test
    void countsWhatTheSimulationAdded() {
        assertThat(rows).contains("| gateway: exchanges | 7 complete, 2 refused |");
    }

    @Test
    void timesWhatTheSimulationAdded() {
        assertThat(rows).contains("| gateway: stage spend, p50 / p99 ms | 1.50 / 1.99 |");
    }

    @Test
    void leavesOutStagesWithoutWorkAndUnknownMeters() {
        assertThat(rows).doesNotContain("turn", "room", "threads");
    }

    @Test
    void showsGaugesBeforeAndAfter() {
        assertThat(rows)
                .contains(
                        "| gateway: heap, MiB, before / after | 1.00 / 2.00 |",
                        "| gateway: descriptors, before / after | 100 / 120 |");
    }
}
