package dev.postern.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests parsing and text of durations, sizes, shares and rates. */
class ValueTextTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0s, 0",
        "50ms, 50ms",
        "1500ms, 1500ms",
        "1.5s, 1500ms",
        "60s, 1m",
        "24h, 1d",
        "90d, 90d",
        "0.5us, 0.500us"
    })
    void writesDurationsInTheirLargestUnit(String text, String shown) {
        Duration duration = DurationText.parse(text);

        assertThat(DurationText.format(duration)).isEqualTo(shown);
        assertThat(DurationText.parse(shown)).isEqualTo(duration);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "512B, 512B", "1024B, 1KiB", "1536B, 1536B", "256MiB, 256MiB", "2048GiB, 2048GiB"})
    void writesSizesInTheirLargestUnit(String text, String shown) {
        ByteSize size = ByteSize.of(text);

        assertThat(size).hasToString(shown);
        assertThat(ByteSize.of(shown)).isEqualTo(size);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0%", "0.5%", "0.000001%", "1%", "29%", "33.3%", "100%"})
    void writesSharesUnchanged(String text) {
        assertThat(Share.of(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "10/s", "600/m", "5000/h"})
    void writesRatesUnchanged(String text) {
        assertThat(Rate.of(text)).hasToString(text);
    }

    @Test
    void readsRatesPerSecondMinuteAndHour() {
        assertThat(Rate.of("10/s")).isEqualTo(new Rate(10, Duration.ofSeconds(1)));
        assertThat(Rate.of("600/m").gcra(0).intervalMicros()).isEqualTo(100_000);
        assertThat(Rate.of("5000/h").gcra(10).toleranceMicros()).isEqualTo(7_200_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "10/d", "-1/s", "1.5/s"})
    void namesTheExpectedRates(String wrong) {
        assertThatThrownBy(() -> Rate.of(wrong)).hasMessage("a rate such as 10/s, 600/m or 5000/h");
    }

    @Test
    void namesKeyValueAndExpectationOfEachFault() {
        Checks checks = Checks.of()
                .that(false, "deadline", Duration.ofHours(1), "1ms..10s")
                .that(false, "max-memory", new ByteSize(1), "1MiB..64GiB");

        assertThatThrownBy(checks::done)
                .hasMessage("deadline: 1h (expected: 1ms..10s); max-memory: 1B (expected: 1MiB..64GiB)");
    }
}
