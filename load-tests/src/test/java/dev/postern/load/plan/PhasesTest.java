package dev.postern.load.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PhasesTest {
    private static final Settings RAMP =
            new Settings(Map.of("from", "10", "step", "5", "levels", "3", "levelSeconds", "2", "warmUpSeconds", "0"));

    @Test
    void raisesRateByTheSameStep() {
        assertThat(Phases.ramp(RAMP).list())
                .containsExactly(new Phase("10/s", 0, 10, 2), new Phase("15/s", 2, 15, 2), new Phase("20/s", 4, 20, 2));
        assertThat(Simulation.Ramp.tokens(RAMP)).isEqualTo(90);
    }

    @Test
    void warmsUpBeforeTheFirstLevel() {
        Phases phases = Phases.ramp(
                new Settings(Map.of("from", "10", "levels", "1", "levelSeconds", "2", "warmUpSeconds", "3")));

        assertThat(phases.list()).containsExactly(new Phase("warm-up", 0, 10, 3), new Phase("10/s", 3, 10, 2));
        assertThat(phases.judged()).containsExactly(new Phase("10/s", 3, 10, 2));
    }

    @Test
    void putsPeakBetweenCalmPhases() {
        Settings settings = new Settings(Map.of("calm", "1", "calmSeconds", "4", "peak", "9", "peakSeconds", "2"));

        assertThat(Phases.spike(settings).list())
                .containsExactly(new Phase("before", 0, 1, 4), new Phase("peak", 4, 9, 2), new Phase("after", 6, 1, 4));
        assertThat(Simulation.Spike.tokens(settings)).isEqualTo(26);
    }

    @Test
    void warmsASoakUpFor20MinutesOrAThird() {
        Settings settings = new Settings(Map.of("constant", "2", "warmUpRate", "3"));
        Phases hour = Phases.soak(settings);

        assertThat(hour.list()).hasSize(1 + Phases.SLICES).startsWith(new Phase("warm-up", 0, 3, 1200));
        assertThat(hour.judged()).endsWith(new Phase("40", 3540, 2, 60));
        assertThat(hour.seconds()).isEqualTo(3600);
        assertThat(Simulation.Soak.tokens(settings)).isEqualTo(3 * 1200 + 2 * 2400);
        assertThat(Phases.soak(new Settings(Map.of("minutes", "3", "constant", "2", "warmUpRate", "3")))
                        .list())
                .startsWith(new Phase("warm-up", 0, 3, 60), new Phase("1", 60, 2, 3));
    }

    @Test
    void findsThePhaseOfATime() {
        Phases hour = Phases.soak(new Settings(Map.of()));

        assertThat(hour.at(0).name()).isEqualTo("warm-up");
        assertThat(hour.at(1199.9).name()).isEqualTo("warm-up");
        assertThat(hour.at(1200).name()).isEqualTo("1");
        assertThat(hour.at(9999).name()).isEqualTo("40");
    }

    @Test
    void dividesTokensWithoutOverlap() {
        List<String> tokens = IntStream.range(0, 90).mapToObj(String::valueOf).toList();
        Phases phases = Phases.ramp(RAMP);

        List<String> divided = IntStream.range(0, 3)
                .mapToObj(i -> phases.share(tokens, i))
                .flatMap(List::stream)
                .toList();

        assertThat(divided).isEqualTo(tokens);
        assertThat(phases.share(tokens, 1)).hasSize(30);
    }
}
