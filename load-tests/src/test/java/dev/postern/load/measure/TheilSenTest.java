package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TheilSenTest {
    private static final double[] MINUTES =
            IntStream.range(0, 40).asDoubleStream().toArray();

    @Test
    void isTheSlopeOfALine() {
        assertThat(TheilSen.slope(MINUTES, line())).isEqualTo(0.5, within(1e-9));
    }

    @Test
    void ignoresAStepOfTheLastQuarter() {
        double[] values = line();
        for (int i = 30; i < 40; i++) {
            values[i] += 200;
        }

        assertThat(TheilSen.slope(MINUTES, values)).isEqualTo(0.5, within(1e-9));
    }

    @Test
    void leavesOutMissingPoints() {
        double[] values = line();
        values[3] = Double.NaN;

        assertThat(TheilSen.slope(MINUTES, values)).isEqualTo(0.5, within(1e-9));
    }

    @Test
    void isUnknownWithoutTwoPoints() {
        assertThat(TheilSen.slope(new double[] {1}, new double[] {1})).isNaN();
        assertThat(TheilSen.slope(new double[] {1, 2}, new double[] {1, Double.NaN}))
                .isNaN();
    }

    private static double[] line() {
        return IntStream.range(0, 40).mapToDouble(i -> 100 + 0.5 * i).toArray();
    }
}
