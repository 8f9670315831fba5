package dev.postern.load.proxies;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class SteadyTest {

    /** Returns the number of turns after which it is steady. */
    private static int turns(double... costs) {
        Steady steady = new Steady();
        for (int i = 0; i < costs.length; i++) {
            if (steady.reachedWith(costs[i])) {
                return i + 1;
            }
        }
        return -1;
    }

    @Test
    void isSteadyAfterThreeTurnsThatWereNoCheaper() {
        assertThat(turns(10, 10, 10, 10)).isEqualTo(4);
        assertThat(turns(90, 40, 30, 29, 31, 30)).isEqualTo(6);
        assertThat(turns(30, 29, 25, 25, 25, 25)).isEqualTo(6);
    }

    @Test
    void goesOnWhileItGetsCheaper() {
        assertThat(turns(90, 80, 70, 60, 50, 40, 30)).isEqualTo(-1);
    }

    @Test
    void aServerWithBadResponsesIsNotSteady() {
        double bad = Double.POSITIVE_INFINITY;
        assertThat(turns(bad, bad, bad, 50, 50, 50, 50)).isEqualTo(7);
        assertThat(turns(50, 50, bad, 50, 50)).isEqualTo(5);
    }

    @Test
    void stopsAfterABoundedNumberOfTurns() {
        assertThat(turns(DoubleStream.generate(() -> Double.POSITIVE_INFINITY)
                        .limit(30)
                        .toArray()))
                .isEqualTo(20);
    }
}
