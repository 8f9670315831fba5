package dev.postern.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SampleTimesTest {
    @Test
    void containsEverySecondThenAnInterval() {
        assertThat(LongStream.range(0, 16).filter(new SampleTimes(3, 5)::contains))
                .containsExactly(0L, 1L, 2L, 5L, 10L, 15L);
    }

    @Test
    void containsEverySecondByDefault() {
        assertThat(LongStream.range(0, 4).filter(SampleTimes.EVERY_SECOND::contains))
                .containsExactly(0L, 1L, 2L, 3L);
    }
}
