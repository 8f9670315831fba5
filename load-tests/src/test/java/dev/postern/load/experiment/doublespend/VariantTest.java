package dev.postern.load.experiment.doublespend;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VariantTest {
    @Test
    void asksForAllCallsOfATurn() {
        assertThat(Variant.NAGLE.question(5_000, 10_000)).isEqualTo("NAGLE 300 5000 10000");
        assertThat(Variant.POOL.question(20, 100)).isEqualTo("NAGLE 20 20 100");
        assertThat(Variant.POOL_ONE_WRITE.question(5_000, 10_000)).isEqualTo("ONE_WRITE 20 5000 10000");
    }

    @Test
    void usesNoMoreConnectionsThanTheRateNeeds() {
        assertThat(Variant.NAGLE.question(20, 100)).isEqualTo("NAGLE 2 20 100");
        assertThat(Variant.ONE_WRITE.question(500, 1_000)).isEqualTo("ONE_WRITE 30 500 1000");
    }

    @Test
    void asksASmallPoolForWhatItCanDoInTwiceTheTime() {
        assertThat(Variant.POOL.question(5_000, 10_000)).isEqualTo("NAGLE 20 5000 2000");
    }
}
