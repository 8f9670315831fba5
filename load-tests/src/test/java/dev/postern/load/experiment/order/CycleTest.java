package dev.postern.load.experiment.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class CycleTest {
    /** Creates a cycle with these medians, step by step. */
    private static Cycle cycle(double... p50) {
        return new Cycle(
                Kind.TCP,
                List.of(
                        Cycles.step(1, p50[0], 1, Cycles.STATE),
                        Cycles.step(10, p50[1], 1, Cycles.STATE),
                        Cycles.step(1_000, p50[2], 1, Cycles.STATE),
                        Cycles.step(10, p50[3], 1, Cycles.STATE)));
    }

    @Test
    void goesUpAndDown() {
        assertThat(Cycle.PLAN).containsExactly(1, 10, 1_000, 10);
        assertThatThrownBy(() -> new Cycle(Kind.TCP, List.of(Cycles.step(1, 100, 300, Cycles.STATE))))
                .hasMessage("steps: [1] (expected: [1, 10, 1000, 10])");
    }

    @Test
    void dividesTheMedianAtTheTopByThatOfTheStepsAroundIt() {
        assertThat(cycle(1, 100, 130, 100).atTheTop(Step.GATEWAY)).isEqualTo(1.3);
        // A machine that becomes slower by the same factor from step to step.
        assertThat(cycle(64, 80, 100, 125).atTheTop(Step.GATEWAY)).isEqualTo(1, within(1e-9));
    }

    @Test
    void dividesTheMedianAfterwardsByThatBefore() {
        assertThat(cycle(1, 100, 999, 120).afterwards(Step.GATEWAY)).isEqualTo(1.2);
    }

    @Test
    void keepsTheProxiesApart() {
        Cycle cycle =
                Cycles.with(cycle(1, 100, 100, 100), 2, step -> Cycles.with(step, "relay", turn -> Cycles.turn(75, 1)));

        assertThat(cycle.atTheTop(Step.GATEWAY)).isEqualTo(1);
        assertThat(cycle.atTheTop("relay")).isEqualTo(1.5);
        assertThatThrownBy(() -> cycle.atTheTop("nginx")).hasMessageStartingWith("proxy: nginx (expected: one of [");
    }

    @Test
    void comparesTheLastStepOfTenWithTheFirst() {
        Cycle cycle = Cycles.with(
                Cycles.with(Cycles.flat(Kind.TCP), 2, step -> Cycles.with(step, new State(90_000_000, 1, 1, 1, 1))),
                3,
                step -> Cycles.with(step, new State(20_600_000, 4_000_000, 1, 1, 1)));

        assertThat(cycle.grownPercent(State::liveHeap)).isEqualTo(3, within(1e-9));
        assertThat(cycle.grownPercent(State::direct)).isEqualTo(-50);
    }
}
