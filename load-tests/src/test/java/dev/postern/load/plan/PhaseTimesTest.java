package dev.postern.load.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PhaseTimesTest {
    private static final Phase FIRST = new Phase("first", 0, 50, 2);
    private static final Phase SECOND = new Phase("second", 2, 1, 2);

    private final PhaseTimes times = new PhaseTimes(new Phases(List.of(FIRST, SECOND)));

    @Test
    void countsByPhaseAndInOrderOfPhases() {
        for (int micros = 1; micros <= 100; micros++) {
            times.response(FIRST, micros, micros > 97);
        }
        times.noResponse(SECOND);

        assertThat(times.results())
                .containsExactly(
                        new PhaseResult("first", 50, 100, 3, 50, 99), new PhaseResult("second", 1, 1, 1, 0, 0));
        assertThat(times.results().get(0).figures()).isEqualTo("100 requests, 3.00 % failed, p50 0.05 ms, p99 0.10 ms");
    }

    @Test
    void refusesOtherPhases() {
        assertThatThrownBy(() -> times.noResponse(new Phase("third", 0, 1, 1))).hasMessageContaining("third");
    }

    @Test
    void readsWhatItWrote(@TempDir Path folder) {
        times.response(FIRST, 7, false);
        PhaseResult.write(times.results(), folder.resolve("phases"));

        assertThat(PhaseResult.read(folder.resolve("phases"))).isEqualTo(times.results());
        assertThat(PhaseResult.read(folder.resolve("none"))).isEmpty();
    }
}
