package dev.postern.ratelimit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import org.junit.jupiter.api.Test;

class RoomOverridesTest {

    private static final RoomRules RULES = AdmissionRequests.rules();

    @Test
    void keepsConfiguredRulesWithoutOverrides() {
        assertThat(RoomOverrides.NONE.appliedTo(RULES)).isEqualTo(RULES);
        assertThat(RoomOverrides.NONE.active(7).active(0).appliedTo(RULES)).isEqualTo(RULES);
        assertThat(RoomOverrides.NONE.base(new Gcra(5, 6)).base(null).appliedTo(RULES))
                .isEqualTo(RULES);
        assertThat(RoomOverrides.NONE.opens(9).opens(0).appliedTo(RULES)).isEqualTo(RULES);
    }

    @Test
    void replacesOverriddenRules() {
        RoomOverrides wanted = RoomOverrides.NONE
                .active(7)
                .base(new Gcra(5, 6))
                .opens(9)
                .in(RoomMode.PAUSED)
                .at(3);

        assertThat(wanted.appliedTo(RULES))
                .isEqualTo(new RoomRules(
                        7,
                        RULES.pass(),
                        RULES.idle(),
                        RULES.absence(),
                        RULES.keep(),
                        RULES.maxWaiting(),
                        new Gcra(5, 6),
                        9));
        assertThat(wanted).isEqualTo(new RoomOverrides(3, RoomMode.PAUSED, 7, 5, 6, 9));
    }

    @Test
    void comparesByStamp() {
        assertThat(RoomOverrides.NONE.at(2).newerThan(RoomOverrides.NONE.at(1))).isTrue();
        assertThat(RoomOverrides.NONE.at(2).newerThan(RoomOverrides.NONE.at(2))).isFalse();
        assertThat(RoomOverrides.NONE.at(1).newerThan(RoomOverrides.NONE.at(2))).isFalse();
    }

    @Test
    void modesAndKindsHaveTheNumbersOfTheScript() {
        assertThat(RoomMode.of(0)).isEqualTo(RoomMode.OPEN);
        assertThat(RoomMode.of(3)).isEqualTo(RoomMode.DRAINING);
        assertThat(AdmissionDecision.Kind.of(2)).isEqualTo(AdmissionDecision.Kind.WAITING);
        assertThat(AdmissionDecision.Kind.BASE.passes()).isTrue();
        assertThat(AdmissionDecision.Kind.ADMITTED.passes()).isTrue();
        assertThat(AdmissionDecision.Kind.WAITING.passes()).isFalse();
        assertThat(AdmissionDecision.unknown(5).retry()).isEqualTo(5);
    }
}
