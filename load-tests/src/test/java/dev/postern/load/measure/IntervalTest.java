package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IntervalTest {
    /** A median of 17 draws from 1..17 is at most k with a probability of 0.8 % at 4, 3.6 % at 5, more than 5 % at 6 (a sum of binomials). */
    @Test
    void leavesAFortiethOfTheMediansOnEachSide() {
        double[] rounds = IntStream.rangeClosed(1, 17).mapToDouble(i -> i).toArray();

        assertThat(Interval.of(rounds)).isEqualTo(new Interval(9, 5, 13));
    }

    @Test
    void ignoresTheOrderOfRounds() {
        assertThat(Interval.of(9, 1, 5).median()).isEqualTo(5);
        assertThat(Interval.of(4, 1, 3, 2).median()).isEqualTo(2.5);
    }

    @Test
    void isWideWhereRoundsDisagreeAndAPointWhereTheyAgree() {
        assertThat(Interval.of(1, 3)).isEqualTo(new Interval(2, 1, 3));
        assertThat(Interval.of(0.9, 0.9, 0.9)).isEqualTo(new Interval(0.9, 0.9, 0.9));
    }

    @Test
    void isRobustAgainstOneDisturbedRoundInTwenty() {
        double[] rounds = IntStream.rangeClosed(1, 20)
                .mapToDouble(i -> i == 7 ? 50 : 1 + i / 1000.0)
                .toArray();

        assertThat(Interval.of(rounds).high()).isLessThan(1.03);
    }

    /** If rounds of a start are equal, two starts are no more than two rounds: a quarter of the draws holds one start only. */
    @Test
    void drawsWholeStartsBecauseTheirRoundsResembleEachOther() {
        List<double[]> starts = List.of(new double[] {1, 1, 1, 1, 1}, new double[] {2, 2, 2, 2, 2});

        assertThat(Interval.ofStarts(starts)).isEqualTo(new Interval(1.5, 1, 2));
    }

    @Test
    void drawsRoundsWithinAStart() {
        double[] rounds = IntStream.rangeClosed(1, 17).mapToDouble(i -> i).toArray();

        assertThat(Interval.ofStarts(List.of(rounds))).isEqualTo(Interval.of(rounds));
    }

    @Test
    void refusesAnEmptyStart() {
        assertThatThrownBy(() -> Interval.ofStarts(List.of())).hasMessageContaining("rounds: none");
        assertThatThrownBy(() -> Interval.ofStarts(List.of(new double[] {1}, new double[0])))
                .hasMessageContaining("rounds: none");
    }

    @Test
    void isDeterministic() {
        assertThat(Interval.of(1, 2, 4, 8, 16)).isEqualTo(Interval.of(1, 2, 4, 8, 16));
    }

    @Test
    void doesNotModifyTheRounds() {
        double[] rounds = {3, 1, 2};

        Interval.of(rounds);

        assertThat(rounds).containsExactly(3, 1, 2);
    }

    @Test
    void refusesAnEmptyListOfRounds() {
        assertThatThrownBy(Interval::of).hasMessageContaining("rounds: none");
    }
}
