package dev.postern.auth.budget;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.rate.Gcra;
import org.junit.jupiter.api.Test;

class FailureBudgetTest {

    private static final long NOW = 1_000_000_000_000L;
    private static final long SECOND = 1_000_000;

    private final FailureBudget budget = new FailureBudget(Gcra.of(100, SECOND, 99), 42);

    @Test
    void isUsedUpByThePeriodsFailuresAndRefillsAtTheRate() {
        for (int i = 0; i < 100; i++) {
            assertThat(budget.exhausted(1, NOW)).as("failure " + i).isFalse();
            budget.failed(1, NOW);
        }

        assertThat(budget.exhausted(1, NOW)).isTrue();
        assertThat(budget.exhausted(1, NOW + 9_999)).isTrue();
        assertThat(budget.exhausted(1, NOW + 10_000)).isFalse();
        assertThat(budget.exhausted(2, NOW)).as("another network").isFalse();
    }

    @Test
    void isFullAfterAPeriodWithoutFailures() {
        for (int i = 0; i < 10_000; i++) {
            budget.failed(1, NOW);
        }

        assertThat(budget.exhausted(1, NOW + SECOND - 10_001)).isFalse();
        for (int i = 0; i < 100; i++) {
            assertThat(budget.exhausted(1, NOW + SECOND)).isFalse();
            budget.failed(1, NOW + SECOND);
        }
        assertThat(budget.exhausted(1, NOW + SECOND)).isTrue();
    }

    @Test
    void affectsFewOthersWhenAThousandNetworksForge() {
        for (int network = 0; network < 1000; network++) {
            for (int i = 0; i < 100; i++) {
                budget.failed(network, NOW);
            }
        }

        int hit = 0;
        for (int network = 1_000_000; network < 1_010_000; network++) {
            hit += budget.exhausted(network, NOW) ? 1 : 0;
        }
        assertThat(hit).isLessThan(30);
    }

    @Test
    void isUnlimitedWithoutALimit() {
        FailureBudget none = new FailureBudget(null, 42);
        none.failed(1, NOW);

        assertThat(none.exhausted(1, NOW)).isFalse();
    }
}
