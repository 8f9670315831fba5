package dev.postern.auth.spend.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryLimitTest {

    @Test
    void givesAllThereIsAndNothingMore() {
        MemoryLimit budget = new MemoryLimit(10);

        assertThat(budget.reserve(4)).isTrue();
        assertThat(budget.reserve(7)).isFalse();
        assertThat(budget.used()).as("nothing is taken then").isEqualTo(4);
        assertThat(budget.reserve(6)).isTrue();
        assertThat(budget.reserve(1)).isFalse();
        budget.release(6);
        assertThat(budget.used()).isEqualTo(4);
        assertThat(budget.most()).isEqualTo(10);
    }
}
