package dev.postern.load.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ChecksTest {
    @Test
    void readsTheLineThatItWrites() {
        Checks checks = new Checks(1, 6, times(1_000), times(40_000_000, 44_000_000, 48_000_000), times());

        Checks read = Checks.parse(checks.line());

        assertThat(read.failed()).isEqualTo(1);
        assertThat(read.segmentsEach()).isEqualTo(2);
        assertThat(Checks.micros(read.waits(), 50)).isCloseTo(1, within(0.01));
        assertThat(Checks.micros(read.times(), 50)).isCloseTo(44_000, within(50.0));
        assertThat(Checks.micros(read.versions(), 50)).isNaN();
    }

    @Test
    void refusesAnotherLine() {
        assertThatThrownBy(() -> Checks.parse("1 2 3")).hasMessageContaining("two numbers and three histograms");
    }

    private static Histogram times(long... nanos) {
        Histogram histogram = new Histogram(3);
        for (long time : nanos) {
            histogram.recordValue(time);
        }
        return histogram;
    }
}
