package dev.postern.ratelimit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import org.junit.jupiter.api.Test;

class ControlsTest {

    private static final RoomRules RULES = Visits.rules();

    @Test
    void whatIsNotWantedIsAsConfigured() {
        assertThat(Controls.NONE.over(RULES)).isEqualTo(RULES);
        assertThat(Controls.NONE.active(7).active(0).over(RULES)).isEqualTo(RULES);
        assertThat(Controls.NONE.base(new Gcra(5, 6)).base(null).over(RULES)).isEqualTo(RULES);
        assertThat(Controls.NONE.opens(9).opens(0).over(RULES)).isEqualTo(RULES);
    }

    @Test
    void whatIsWantedIsInItsPlace() {
        Controls wanted = Controls.NONE
                .active(7)
                .base(new Gcra(5, 6))
                .opens(9)
                .in(RoomMode.PAUSED)
                .at(3);

        assertThat(wanted.over(RULES))
                .isEqualTo(
                        new RoomRules(7, RULES.pass(), RULES.idle(), RULES.absence(), RULES.most(), new Gcra(5, 6), 9));
        assertThat(wanted).isEqualTo(new Controls(3, RoomMode.PAUSED, 7, 5, 6, 9));
    }

    @Test
    void aLaterStampIsNewer() {
        assertThat(Controls.NONE.at(2).newerThan(Controls.NONE.at(1))).isTrue();
        assertThat(Controls.NONE.at(2).newerThan(Controls.NONE.at(2))).isFalse();
        assertThat(Controls.NONE.at(1).newerThan(Controls.NONE.at(2))).isFalse();
    }

    @Test
    void modesAndKindsKeepTheNumbersOfTheScript() {
        assertThat(RoomMode.of(0)).isEqualTo(RoomMode.OPEN);
        assertThat(RoomMode.of(3)).isEqualTo(RoomMode.DRAINING);
        assertThat(Decision.Kind.of(2)).isEqualTo(Decision.Kind.WAITING);
        assertThat(Decision.Kind.BASE.passes()).isTrue();
        assertThat(Decision.Kind.ADMITTED.passes()).isTrue();
        assertThat(Decision.Kind.WAITING.passes()).isFalse();
        assertThat(Decision.unknown(5).retry()).isEqualTo(5);
    }
}
