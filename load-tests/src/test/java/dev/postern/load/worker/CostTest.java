package dev.postern.load.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.postern.load.measure.Cost;
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
    void countsDecisionsAndTrips() {
        Decisions decisions = Decisions.of(() -> 640, count -> count / 64);

        assertThat(decisions.count()).isEqualTo(640);
        assertThat(decisions.trips()).isEqualTo(10);
        assertThat(decisions.perTrip()).isEqualTo(64);
        assertThat(decisions.cost().perSecond()).isPositive();
    }
}
