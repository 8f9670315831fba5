package dev.postern.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests how long, and for how many bytes, a lingering connection is read. */
class LingerBudgetTest {

    private static final long BEGIN = Long.MAX_VALUE - 1; // System.nanoTime may overflow

    private final LingeringClose.LingerBudget budget =
            new LingeringClose.LingerBudget(LingeringClose.LingerBudget.DEFAULT);

    private static long seconds(int count) {
        return Duration.ofSeconds(count).toNanos();
    }

    @Test
    void endsAfterFiveSecondsWithoutAByte() {
        budget.begin(BEGIN);
        assertThat(budget.left(BEGIN + seconds(4))).isEqualTo(seconds(1));
        assertThat(budget.left(BEGIN + seconds(5))).isZero();
    }

    @Test
    void aByteExtendsTheSilenceButNotTheTotal() {
        budget.begin(BEGIN);
        for (int i = 1; i < 30; i++) {
            assertThat(budget.drop(BEGIN + seconds(i), 1)).isTrue();
            assertThat(budget.left(BEGIN + seconds(i))).isEqualTo(seconds(Math.min(5, 30 - i)));
        }
        assertThat(budget.left(BEGIN + seconds(30))).isZero();
    }

    @Test
    void dropsSixtyFourMebibytes() {
        budget.begin(BEGIN);
        for (int i = 0; i < 1023; i++) {
            assertThat(budget.drop(BEGIN, 65_536)).isTrue();
        }
        assertThat(budget.drop(BEGIN, 65_536)).isFalse();
    }

    /** A slow reader of a long response is not closed by the clock: the times begin when everything is sent. */
    @Test
    void bytesCountBeforeTheBeginAndTimesDoNot() {
        assertThat(budget.drop(BEGIN, 60 << 20)).isTrue();
        budget.begin(BEGIN + seconds(100));
        assertThat(budget.left(BEGIN + seconds(104))).isEqualTo(seconds(1));
        assertThat(budget.drop(BEGIN + seconds(104), 4 << 20)).isFalse();
    }
}
