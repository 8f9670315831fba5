package dev.postern.load.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class CostTest {
    @Test
    void usesTheTotalTimeOfAllTurns() {
        Cost mean = Cost.mean(List.of(new Cost(100, 1, 10), new Cost(300, 3, 30)));

        // 100 in a second and 100 in a third of one: 200 in four thirds.
        assertThat(mean.perSecond()).isCloseTo(150, within(1e-9));
        assertThat(mean.cpuMicros()).isEqualTo(2);
        assertThat(mean.heapBytes()).isEqualTo(20);
    }

    @Test
    void readsWrittenDecisions() {
        Decisions decisions = new Decisions(640, 10, new Cost(150_000, 2.5, 120));

        assertThat(Decisions.parse(decisions.line())).isEqualTo(decisions);
        assertThat(decisions.perTrip()).isEqualTo(64);
        assertThatThrownBy(() -> Decisions.parse("640")).hasMessage("640 (expected: five numbers)");
    }
}
