package dev.postern.load.oldnew;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.load.proxies.Pace;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PlanTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void theLastStartTakesTheRoundsThatAreLeft() {
        assertThat(plan(20, 2).starts()).hasSize(10);
        assertThat(plan(7, 3).starts()).extracting(Pace::rounds).containsExactly(3, 3, 1);
        assertThat(plan(2, 5).starts()).extracting(Pace::rounds).containsExactly(2);
    }

    @Test
    void refusesValuesBelowOne() {
        assertThatThrownBy(() -> plan(0, 1)).hasMessage("--rounds: 0 (expected: 1 or more)");
        assertThatThrownBy(() -> plan(1, -1)).hasMessage("--rounds-per-start: -1 (expected: 1 or more)");
        assertThatThrownBy(() -> new Plan(1, 1, Duration.ZERO, SECOND))
                .hasMessage("--seconds: 0 (expected: 1 or more)");
        assertThatThrownBy(() -> new Plan(1, 1, SECOND, Duration.ZERO))
                .hasMessage("--warm-up: 0 (expected: 1 or more)");
    }

    private static Plan plan(int rounds, int roundsPerStart) {
        return new Plan(rounds, roundsPerStart, SECOND, SECOND);
    }
}
