package dev.postern.load.flatness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.postern.load.flatness.Step.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

class CycleTest {
    /** Creates a cycle with these medians, step by step. */
    private static Cycle cycle(double... p50) {
        return new Cycle(
                "tcp",
                List.of(
                        Cycles.step(1, p50[0], 1, Cycles.STATE),
                        Cycles.step(10, p50[1], 1, Cycles.STATE),
                        Cycles.step(1_000, p50[2], 1, Cycles.STATE),
                        Cycles.step(10, p50[3], 1, Cycles.STATE),
                        Cycles.step(1, p50[4], 1, Cycles.STATE)));
    }

    @Test
    void goesUpAndDown() {
        assertThat(Cycle.PLAN).containsExactly(1, 10, 1_000, 10, 1);
        assertThatThrownBy(() -> new Cycle("tcp", List.of(Cycles.step(1, 100, 300, Cycles.STATE))))
                .hasMessage("steps: [1] (expected: [1, 10, 1000, 10, 1])");
    }

    @Test
    void dividesTheMedianAtTheTopByThatOfTheStepsAroundIt() {
        assertThat(cycle(1, 100, 130, 100, 1).p50Ratio(Proxy.GATEWAY)).isEqualTo(1.3);
        // A machine that becomes slower by the same factor from step to step.
        assertThat(cycle(64, 80, 100, 125, 156.25).p50Ratio(Proxy.GATEWAY)).isEqualTo(1, within(1e-9));
    }

    @Test
    void keepsGatewayAndRelayApart() {
        Cycle cycle = Cycles.with(
                cycle(1, 100, 100, 100, 1),
                2,
                step -> new Step(1_000, step.gateway(), Cycles.latencies(75, 1, 0), step.state()));

        assertThat(cycle.p50Ratio(Proxy.GATEWAY)).isEqualTo(1);
        assertThat(cycle.p50Ratio(Proxy.RELAY)).isEqualTo(1.5);
    }

    @Test
    void comparesTheLastStepOfOneWithTheFirst() {
        Cycle cycle = Cycles.with(
                Cycles.with(Cycles.flat("tcp"), 2, step -> Cycles.with(step, new State(90_000_000, 1, 1, 1, 1))),
                4,
                step -> Cycles.with(step, new State(20_600_000, 4_000_000, 1, 1, 1)));

        assertThat(cycle.grownPercent(State::liveHeap)).isEqualTo(3, within(1e-9));
        assertThat(cycle.grownPercent(State::direct)).isEqualTo(-50);
    }
}
