package dev.postern.load.proxies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import org.junit.jupiter.api.Test;

class ReportTest {
    private final Report report = new Report("128 B");

    @Test
    void comparesTheMedianWithTheGoal() {
        report.figure("met", new Interval(0.95, 0.8, 1.2), Goal.atMost(0.95));

        assertThat(report.missed()).isFalse();
        assertThat(report.toString()).contains("**128 B**", "met", "0.95 [0.80..1.20]", "<= 0.95", "MET");

        report.figure("missed", new Interval(0.96, 0.8, 1.2), Goal.atMost(0.95));

        assertThat(report.missed()).isTrue();
    }

    @Test
    void missesAGoalThatCouldNotBeMeasured() {
        report.notMeasured("figure", "no haproxy", Goal.atMost(1));

        assertThat(report.missed()).isTrue();
        assertThat(report.toString()).contains("not measured: no haproxy", "MISSED");
    }

    @Test
    void reportsRowsWithoutAGoal() {
        report.notMeasured("figure", "no jars", null);
        report.figure("other", new Interval(1, 1, 1), null);

        assertThat(report.missed()).isFalse();
        assertThat(report.toString()).contains("not measured: no jars").doesNotContain("MISSED");
    }

    @Test
    void missesAPartThatFailed() {
        report.failed("the origin ended by itself");

        assertThat(report.missed()).isTrue();
    }
}
