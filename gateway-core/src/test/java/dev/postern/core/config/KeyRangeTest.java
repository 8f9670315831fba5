package dev.postern.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class KeyRangeTest {

    private record Keys(
            @Key(min = "16", max = "4096", description = "") int both,
            @Key(min = "1/h", description = "") Rate least,
            @Key(max = "1MiB", description = "") ByteSize most,
            @Key(description = "") int none) {}

    private static Key key(int index) {
        return Keys.class.getRecordComponents()[index].getAnnotation(Key.class);
    }

    @Test
    void isWhatTheKeyStates() {
        assertThat(KeyRange.of(key(0))).hasToString("16..4096");
        assertThat(KeyRange.of(key(1))).hasToString("1/h or more");
        assertThat(KeyRange.of(key(2))).hasToString("up to 1MiB");
        assertThat(KeyRange.of(key(3))).isNull();
    }

    @Test
    void containsItsEnds() {
        KeyRange numbers = new KeyRange("16", "4096");
        assertThat(numbers.contains(15)).isFalse();
        assertThat(numbers.contains(16)).isTrue();
        assertThat(numbers.contains(4096)).isTrue();
        assertThat(numbers.contains(4097)).isFalse();
        KeyRange durations = new KeyRange("100ms", "1h");
        assertThat(durations.contains(Duration.ofMillis(100).minusNanos(1))).isFalse();
        assertThat(durations.contains(Duration.ofMillis(100))).isTrue();
        assertThat(durations.contains(Duration.ofMinutes(60))).isTrue();
        assertThat(durations.contains(Duration.ofMinutes(60).plusNanos(1))).isFalse();
        KeyRange sizes = new KeyRange("1KiB", "1MiB");
        assertThat(sizes.contains(new ByteSize(1023))).isFalse();
        assertThat(sizes.contains(new ByteSize(1024))).isTrue();
        assertThat(sizes.contains(new ByteSize(1 << 20))).isTrue();
        assertThat(sizes.contains(new ByteSize((1 << 20) + 1))).isFalse();
    }

    @Test
    void mayHaveOneEnd() {
        assertThat(new KeyRange("", "10").contains(Integer.MIN_VALUE)).isTrue();
        assertThat(new KeyRange("", "10").contains(11)).isFalse();
        assertThat(new KeyRange("10", "").contains(Integer.MAX_VALUE)).isTrue();
        assertThat(new KeyRange("10", "").contains(9)).isFalse();
    }

    @Test
    void comparesRatesOfDifferentPeriods() {
        KeyRange rates = new KeyRange("60/m", "7200/h");
        assertThat(rates.contains(Rate.of("0"))).isFalse();
        assertThat(rates.contains(Rate.of("3599/h"))).isFalse();
        assertThat(rates.contains(Rate.of("1/s"))).isTrue();
        assertThat(rates.contains(Rate.of("2/s"))).isTrue();
        assertThat(rates.contains(Rate.of("3/s"))).isFalse();
    }

    @Test
    void aTextHasNoRange() {
        KeyRange range = new KeyRange("1", "2");
        assertThatIllegalStateException().isThrownBy(() -> range.contains("1")).withMessageContaining("String");
    }
}
