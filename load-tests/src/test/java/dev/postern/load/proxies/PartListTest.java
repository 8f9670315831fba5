package dev.postern.load.proxies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartListTest {
    private final Report met = report(1);
    private final Report missed = report(2);
    private final Report failed = report(1);

    @Test
    void exitStatusSaysWhetherAllGoalsAreMet() {
        assertThat(PartList.status(List.of(met))).isZero();
        assertThat(PartList.status(List.of(met, missed))).isEqualTo(1);
    }

    @Test
    void exitStatusSaysWhetherAnythingCouldBeMeasured() {
        failed.failed("no nginx");

        assertThat(PartList.status(List.of(met, failed))).isEqualTo(1);
        assertThat(PartList.status(List.of(failed))).isEqualTo(2);
    }

    private static Report report(double value) {
        Report report = new Report("part");
        report.figure("figure", new Interval(value, value, value), Goal.atMost(1));
        return report;
    }
}
