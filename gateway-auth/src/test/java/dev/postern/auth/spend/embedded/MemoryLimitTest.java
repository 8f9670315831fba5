package dev.postern.auth.spend.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryLimitTest {

    @Test
    void permitsExactlyTheLimit() {
        MemoryLimit limit = new MemoryLimit(10);

        assertThat(limit.reserve(4)).isTrue();
        assertThat(limit.reserve(7)).isFalse();
        assertThat(limit.used()).as("a refused request takes nothing").isEqualTo(4);
        assertThat(limit.reserve(6)).isTrue();
        assertThat(limit.reserve(1)).isFalse();
        limit.release(6);
        assertThat(limit.used()).isEqualTo(4);
        assertThat(limit.max()).isEqualTo(10);
    }
}
