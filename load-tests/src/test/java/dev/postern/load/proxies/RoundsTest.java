package dev.postern.load.proxies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.proxies.Comparison.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundsTest {
    private final Rounds rounds = new Rounds();

    @Test
    void pairsWithinTheRoundWhateverTheMachineDoes() {
        round(10, 20);
        round(40, 80);
        round(5, 10);

        Comparison cpu = new Comparison(Kind.CPU, "nginx", Goal.atMost(0.95));

        assertThat(cpu.of(rounds)).isEqualTo(new Interval(0.5, 0.5, 0.5));
    }

    @Test
    void comparesLatencyByRatioOrByDifference() {
        round(10, 20);

        assertThat(new Comparison(Kind.LATENCY, "nginx", null).of(rounds).median())
                .isEqualTo(0.1);
        assertThat(new Comparison(Kind.ADDED_LATENCY, "nginx", null).of(rounds).median())
                .isEqualTo(100 - 1000);
    }

    @Test
    void reportsOnePeerAlone() {
        round(10, 20);
        round(30, 20);

        assertThat(rounds.of("postern", Turn::cpuMicros)).isEqualTo(new Interval(20, 10, 30));
    }

    @Test
    void dividesByTheSumOfOthersWithinTheRound() {
        rounds.add(Map.of("postern", new Turn(60, 1, 1), "nginx", new Turn(20, 1, 1), "check", new Turn(10, 1, 1)));

        assertThat(rounds.overSum("postern", List.of("nginx", "check"), Turn::cpuMicros))
                .isEqualTo(new Interval(2, 2, 2));
    }

    @Test
    void namesTheMissingPeer() {
        round(10, 20);

        assertThatThrownBy(() -> rounds.of("haproxy", Turn::cpuMicros)).hasMessageContaining("peer: haproxy");
    }

    private void round(double own, double nginx) {
        rounds.add(Map.of("postern", new Turn(own, 1, 100), "nginx", new Turn(nginx, 1, 1000)));
    }
}
