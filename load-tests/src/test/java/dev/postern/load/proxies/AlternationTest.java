package dev.postern.load.proxies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlternationTest {
    private final List<String> turns = new ArrayList<>();
    private final Alternation alternation =
            new Alternation("test", new Pace(4, Duration.ofSeconds(1), Duration.ofSeconds(1)));
    private final Contender steady = contender("old", false);

    @Test
    void eachGoesFirstEquallyOften() {
        alternation.take(List.of(steady, contender("new", false)));

        assertThat(turns).containsExactly("old", "new", "new", "old", "old", "new", "new", "old");
        assertThat(alternation.rounds().count()).isEqualTo(4);
    }

    @Test
    void repeatsARoundWithErrorsALimitedNumberOfTimes() {
        List<Contender> joined = List.of(steady, contender("broken", true));

        assertThatThrownBy(() -> alternation.take(joined)).hasMessage("errors");
        assertThat(alternation.discarded()).isEqualTo(2);
        assertThat(alternation.rounds().count()).isZero();
    }

    private Contender contender(String name, boolean broken) {
        return new Contender() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public void warmUp(Duration length) {}

            @Override
            public Turn turn(Duration length) {
                turns.add(name);
                if (broken) {
                    throw new IllegalStateException("errors");
                }
                return new Turn(1, 1, 1);
            }

            @Override
            public void awaitQuiet() {}
        };
    }
}
