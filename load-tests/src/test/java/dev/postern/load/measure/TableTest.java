package dev.postern.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void meetsGoalWithMedianNotWithWorstRound() {
        Table table = new Table().goal("ratio", Spread.of(1.0, 1.1, 5.0), Goal.atMost(1.2));

        assertThat(table.toString()).contains("| ratio", "1.10 [1.00..5.00]", "<= 1.20", "MET");
        assertThat(table.status()).isZero();
    }

    @Test
    void endsWithStatusOneWhenAnyRowMissesItsGoal() {
        Table table = new Table()
                .goal("bad", 1.0, Goal.lessThan(1.0))
                .goal("good", 0.95, Goal.atLeast(0.9))
                .note("only reported", 7);

        assertThat(table.toString()).contains("MISSED");
        assertThat(table.status()).isEqualTo(1);
    }

    @Test
    void missesEveryGoalWithoutNumber() {
        assertThat(List.of(Goal.atMost(1), Goal.lessThan(1), Goal.atLeast(1))).noneMatch(goal -> goal.met(Double.NaN));
    }

    @Test
    void takesTheMiddleOfAnEvenNumberOfRounds() {
        assertThat(Spread.of(4, 1, 3, 2)).isEqualTo(new Spread(2.5, 1, 4));
    }

    @Test
    void missesAGoalThatCouldNotBeMeasured() {
        Table table = new Table().notMeasured("figure", "no haproxy", Goal.atMost(1));

        assertThat(table.missed()).isTrue();
        assertThat(table.toString()).contains("not measured: no haproxy", "MISSED");
    }

    @Test
    void reportsRowsWithoutAGoal() {
        Table table = new Table().notMeasured("figure", "no jars", null).goal("other", new Interval(1, 1, 1), null);

        assertThat(table.missed()).isFalse();
        assertThat(table.toString()).contains("not measured: no jars").doesNotContain("MISSED");
    }
}
