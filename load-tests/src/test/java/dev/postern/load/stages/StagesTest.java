package dev.postern.load.stages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StagesTest {
    private static final Map<Step, Double> MICROS = Map.of(
            Step.OPEN, 10.0,
            Step.TOKEN, 33.0,
            Step.ROOM, 40.0,
            Step.EMBEDDED_OPEN, 11.0,
            Step.EMBEDDED_TOKEN, 31.0,
            Step.VERIFY, 17.0,
            Step.SPEND, 2.0,
            Step.DECIDE, 5.0);

    private final Stages stages = new Stages(MICROS, 8);

    @Test
    void countsEachStageByItsAddition() {
        assertThat(stages.verification()).isEqualTo(20);
        assertThat(stages.ledger()).isEqualTo(3);
        assertThat(stages.room()).isEqualTo(7);
    }

    @Test
    void comparesSumOfStagesWithTheirWorkAlone() {
        assertThat(stages.sum()).isEqualTo(stages.verification() + stages.ledger() + stages.room());
        assertThat(stages.alone()).isEqualTo(24);
        assertThat(stages.ratio()).isCloseTo(1.25, within(1e-9));
    }

    @Test
    void refusesRoundInWhichStepIsMissing() {
        Map<Step, Double> some = new EnumMap<>(MICROS);
        some.remove(Step.DECIDE);

        assertThatThrownBy(() -> new Stages(some, 8)).hasMessageContaining("DECIDE");
    }
}
