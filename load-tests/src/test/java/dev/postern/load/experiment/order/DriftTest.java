package dev.postern.load.experiment.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.postern.load.experiment.order.StepTable.Drifts;
import dev.postern.load.measure.Drift;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriftTest {
    @Test
    void comparesTheMediansOfFirstAndLastThird() {
        Drift drift = Drift.of(List.of(10.0, 30.0, 20.0, 99.0, 99.0, 99.0, 50.0, 40.0, 60.0));

        assertThat(drift).isEqualTo(new Drift(20, 50));
        assertThat(drift.ratio()).isEqualTo(2.5);
        assertThat(drift.percent()).isEqualTo(150);
        assertThat(drift.difference()).isEqualTo(30);
    }

    @Test
    void ignoresADisturbedCycle() {
        assertThat(Drift.of(List.of(10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 10.0, 500.0, 10.0))
                        .ratio())
                .isEqualTo(1);
    }

    @Test
    void needsSixCycles() {
        assertThat(Drift.of(List.of(1.0, 1.0, 1.0, 1.0, 3.0, 3.0)).ratio()).isEqualTo(3);
        assertThatThrownBy(() -> Drift.of(List.of(1.0, 1.0, 1.0, 1.0, 1.0)))
                .hasMessage("cycles: 5 (expected: 6 or more)");
    }

    @Test
    void comparesEachStepOfAKindWithItself() {
        List<Cycle> cycles = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int p99 = 100 + i;
            // More at 1,000 than at 10, and another level for each kind: neither is a drift.
            cycles.add(Cycles.withAll(
                    Cycles.flat(Kind.TCP), step -> Cycles.step(step.open(), 1, p99 * step.open(), step.state())));
            cycles.add(Cycles.withAll(Cycles.flat(Kind.UDP), step -> Cycles.step(step.open(), 1, 7, step.state())));
        }

        Drifts drifts = Drifts.of(cycles, step -> step.of(Step.GATEWAY).p99());

        assertThat(drifts.atEachStep()).hasSize(8).contains(new Drift(100_500, 104_500), new Drift(7, 7));
        assertThat(drifts.farthest(Drift::ratio)).isEqualTo(104.5 / 100.5, within(1e-9));
    }

    @Test
    void takesMedianAndFarthestOverTheSteps() {
        Drifts drifts = new Drifts(List.of(new Drift(10, 10), new Drift(10, 3), new Drift(10, 12)));

        assertThat(drifts.median(Drift::difference)).isZero();
        assertThat(drifts.farthest(Drift::difference)).isEqualTo(-7);
    }
}
