package dev.postern.load.proxies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import org.junit.jupiter.api.Test;

class ReportTest {
    private final Report report = new Report();

    @Test
    void judgesByTheMedian() {
        report.ratio("row", "met", "a", new Interval(0.95, 0.8, 1.2), Goal.atMost(0.95));

        assertThat(report.table().status()).isZero();
        assertThat(report.table().toString()).contains("row: met", "0.95 [0.80..1.20]", "<= 0.95", "MET");

        report.ratio("row", "missed", "a", new Interval(0.96, 0.8, 1.2), Goal.atMost(0.95));

        assertThat(report.table().status()).isEqualTo(1);
    }

    @Test
    void missesAGoalThatCouldNotBeMeasured() {
        report.notMeasured("row", "figure", "no haproxy", Goal.atMost(1));

        assertThat(report.table().status()).isEqualTo(1);
        assertThat(report.table().toString()).contains("not measured: no haproxy", "MISSED");
    }

    @Test
    void onlyTellsWhereNothingWasAsked() {
        report.notMeasured("row", "figure", "no jars", null);
        report.figure("row", "other", new Interval(1, 1, 1), null);

        assertThat(report.table().status()).isZero();
        assertThat(report.table().toString()).contains("not measured: no jars").doesNotContain("MISSED");
    }

    @Test
    void missesAPartThatFailed() {
        report.failed("row", "the origin ended by itself");

        assertThat(report.table().status()).isEqualTo(1);
    }

    @Test
    void drawsRatiosOnly() {
        report.figure("row", "p50 us, postern - relay", new Interval(8, 7, 9), Goal.atMost(10));
        report.ratio("row", "CPU, postern / nginx", "CPU / nginx", new Interval(0.9, 0.8, 1), Goal.atMost(0.95));

        assertThat(report.bars())
                .singleElement()
                .satisfies(bar -> assertThat(bar.label()).isEqualTo("CPU / nginx"));
    }
}
