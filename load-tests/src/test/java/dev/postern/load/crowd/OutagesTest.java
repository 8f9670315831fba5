package dev.postern.load.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OutagesTest {
    private static final long SECOND = 1_000_000;

    private final Outages outages = new Outages(Duration.ofSeconds(6), Duration.ofSeconds(4));

    @Test
    void oweNothingWithoutAnOutage() {
        assertThat(outages.owing(SECOND, 2 * SECOND)).isEqualTo(-1);
    }

    @Test
    void oweAccessToSessionsAdmittedBefore() {
        outages.begin(2, 10 * SECOND);
        assertThat(outages.owing(9 * SECOND, 10 * SECOND)).isEqualTo(2);
        assertThat(outages.owing(9 * SECOND, 12 * SECOND)).isEqualTo(2);
    }

    @Test
    void oweNothingToOtherSessions() {
        outages.begin(2, 10 * SECOND);
        assertThat(outages.owing(0, 11 * SECOND)).isEqualTo(-1);
        assertThat(outages.owing(10 * SECOND, 11 * SECOND)).isEqualTo(-1);
    }

    @Test
    void oweNothingWhenAPassMayHaveEnded() {
        outages.begin(2, 10 * SECOND);
        assertThat(outages.owing(5 * SECOND, 11 * SECOND))
                .as("its maximum duration")
                .isEqualTo(-1);
        assertThat(outages.owing(9 * SECOND, 13 * SECOND)).as("not renewed").isEqualTo(-1);
    }
}
