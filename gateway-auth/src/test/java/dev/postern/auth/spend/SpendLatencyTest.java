package dev.postern.auth.spend;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpendLatencyTest {

    @Test
    void addsEachPartOfTwoSpends() {
        assertThat(new SpendLatency(1, 20, 300).plus(new SpendLatency(4, 50, 600)))
                .isEqualTo(new SpendLatency(5, 70, 900));
        assertThat(SpendLatency.NONE.plus(new SpendLatency(4, 50, 600))).isEqualTo(new SpendLatency(4, 50, 600));
    }
}
