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

    /**
     * A network of many clients, a third of whose 3,000 tokens a second were issued for challenges that have changed; an attacker of
     * another network has no good ones.
     */
    @Test
    void allowsAsManyFailuresAsAcceptedTokens() {
        long now = NOW;
        int caught = 0;
        for (int i = 0; i < 60_000; i++) {
            now += 1_000;
            budget.accepted(1, now);
            budget.failed(1, now);
            budget.accepted(1, now);
            assertThat(budget.exhausted(1, now)).as("round " + i).isFalse();
            budget.failed(2, now);
            if (caught == 0 && budget.exhausted(2, now)) {
                caught = i;
            }
        }
        assertThat(caught).isBetween(99, 120);
    }

    @Test
    void savesNoAcceptedTokens() {
        for (int i = 0; i < 10_000; i++) {
            budget.accepted(1, NOW);
        }
        for (int i = 0; i < 100; i++) {
            budget.failed(1, NOW);
        }
        assertThat(budget.exhausted(1, NOW)).isTrue();
    }

    @Test
    void isUnlimitedWithoutALimit() {
        FailureBudget none = new FailureBudget(null, 42);
        none.failed(1, NOW);

        assertThat(none.exhausted(1, NOW)).isFalse();
    }
}
