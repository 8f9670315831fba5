package dev.postern.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LimitRateTest {

    @Test
    void readsRatesPerSecondMinuteAndHour() {
        assertThat(LimitRate.of("10/s")).isEqualTo(new LimitRate(10, Duration.ofSeconds(1)));
        assertThat(LimitRate.of("600/m").gcra(0).intervalMicros()).isEqualTo(100_000);
        assertThat(LimitRate.of("5000/h").gcra(10).toleranceMicros()).isEqualTo(7_200_000);
    }

    @Test
    void reportsTheExpectedFormat() {
        for (String wrong : new String[] {"", "10", "10/d", "0/s", "-1/s", "1.5/s", "10 /s"}) {
            assertThatThrownBy(() -> LimitRate.of(wrong)).hasMessageContaining("expected: such as 10/s");
        }
    }
}
