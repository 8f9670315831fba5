package dev.postern.load.proxies;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class GrowthTest {
    private static final int COUNT = 20;

    /** Creates the given rounds, in which the new build costs more by the given ratio, plus or minus half of the noise. */
    private static Growth growth(double ratio, double noise) {
        Rounds rounds = new Rounds();
        for (int i = 0; i < COUNT; i++) {
            double old = 20 + i; // a machine that becomes slower must not count as a difference between the two
            double own = old * (ratio + noise * ((double) i / (COUNT - 1) - 0.5));
            rounds.add(Map.of(Growth.OLD, new Turn(old, 1, 1), Growth.NEW, new Turn(own, 1, 1)));
        }
        return Growth.of(rounds, 1.02);
    }

    @Test
    void comparesWithinTheRound() {
        assertThat(growth(1.01, 0)).hasToString("1.010 [1.010..1.010]");
        assertThat(growth(0.97, 0.02)).hasToString("0.970 [0.966..0.974]");
    }

    @Test
    void missesOnlyWhenTheWholeIntervalLiesAboveTheGoal() {
        assertThat(growth(1, 0.01).met()).isTrue();
        assertThat(growth(1.02, 0).met()).isTrue();
        assertThat(growth(1.05, 0.3).met()).isTrue(); // too noisy for a verdict
        assertThat(growth(1.05, 0.01).met()).isFalse();
        assertThat(growth(1.021, 0).met()).isFalse();
    }

    @Test
    void isARowWithGoalAndVerdict() {
        Report report = new Report("old and new");
        report.growth("CPU", growth(1, 0));
        assertThat(report.toString()).contains("1.000 [1.000..1.000]", "<= 1.02", "MET");
        assertThat(report.missed()).isFalse();
        report.growth("CPU", growth(1.1, 0));
        assertThat(report.missed()).isTrue();
    }
}
