package dev.postern.core.overload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class HysteresisTest {

    private static final Threshold NINE = new Threshold(0.9, 0.8);

    private final Hysteresis rule = new Hysteresis(NINE, 1);

    private void samples(Hysteresis hysteresis, int times, double figure) {
        for (int i = 0; i < times; i++) {
            hysteresis.sample(figure);
        }
    }

    @Test
    void beginsAtItsThreshold() {
        assertThat(rule.sample(0.899)).isFalse();
        assertThat(rule.exceeded()).isFalse();
        assertThat(rule.bound()).isEqualTo(0.9);
        assertThat(rule.sample(0.9)).isTrue();
        assertThat(rule.exceeded()).isTrue();
        assertThat(rule.bound()).isEqualTo(0.8);
    }

    @Test
    void reportsChangesOnce() {
        rule.sample(0.95);
        assertThat(rule.sample(0.95)).isFalse();
        assertThat(rule.exceeded()).isTrue();
    }

    @Test
    void doesNotEndBetweenTheThresholds() {
        rule.sample(0.9);
        samples(rule, 100, 0.8);
        assertThat(rule.exceeded()).isTrue();
    }

    @Test
    void endsAfterAQuietTime() {
        rule.sample(0.9);
        samples(rule, Hysteresis.QUIET - 1, 0.1);
        assertThat(rule.exceeded()).isTrue();
        assertThat(rule.sample(0.1)).isTrue();
        assertThat(rule.exceeded()).isFalse();
    }

    @Test
    void requiresConsecutiveQuietSamples() {
        rule.sample(0.9);
        samples(rule, Hysteresis.QUIET - 1, 0.1);
        rule.sample(0.85);
        samples(rule, Hysteresis.QUIET - 1, 0.1);
        assertThat(rule.exceeded()).isTrue();
    }

    @Test
    void requiresConsecutiveHighSamples() {
        Hysteresis slow = new Hysteresis(NINE, 4);
        Arrays.asList(1.0, 1.0, 1.0, 0.5, 1.0, 1.0, 1.0).forEach(slow::sample);
        assertThat(slow.exceeded()).isFalse();
        slow.sample(1.0);
        assertThat(slow.exceeded()).isTrue();
    }

    @Test
    void aChangedThresholdAppliesToTheNextSample() {
        rule.threshold(new Threshold(0.5, 0.4));
        assertThat(rule.sample(0.6)).isTrue();
        rule.threshold(new Threshold(0.9, 0.8));
        samples(rule, Hysteresis.QUIET - 1, 0.6);
        assertThat(rule.sample(0.6)).isTrue();
        assertThat(rule.exceeded()).isFalse();
    }

    @Test
    void switchedOffItEndsAtOnce() {
        rule.sample(0.95);
        rule.threshold(new Threshold(0, 0));
        assertThat(rule.sample(0.99)).isTrue();
        assertThat(rule.exceeded()).isFalse();
        assertThat(rule.sample(0.99)).isFalse();
    }

    @Test
    void zeroDisables() {
        Hysteresis never = new Hysteresis(Threshold.NEVER, 1);
        samples(never, 10, 5);
        assertThat(never.exceeded()).isFalse();
    }
}
