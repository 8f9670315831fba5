package dev.postern.core.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {

    private static final long WINDOW = Duration.ofSeconds(10).toNanos();

    private long requests = 1_000;
    private final RetryBudget budget = new RetryBudget(0.2, () -> requests);

    private long granted(RetryBudget budget, long now) {
        return IntStream.range(0, 1_000).filter(i -> budget.take(now)).count();
    }

    @Test
    void isAShareOfTheRequestsPlusAMinimum() {
        assertThat(granted(budget, 0)).isEqualTo(RetryBudget.RESERVE);
        requests += 100;
        assertThat(granted(budget, 1)).isEqualTo(20);
        assertThat(granted(budget, 2)).isZero();
    }

    @Test
    void resetsAfterTenSeconds() {
        requests += 1_000;
        granted(budget, 0);
        assertThat(granted(budget, WINDOW - 1)).isZero();
        assertThat(granted(budget, WINDOW)).isEqualTo(RetryBudget.RESERVE);
    }

    @Test
    void zeroPermitsNoRetry() {
        assertThat(granted(new RetryBudget(0, () -> requests++), 0)).isZero();
    }
}
