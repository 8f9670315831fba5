package dev.postern.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the conditions under which keys have an effect. */
class KeyNeedTest {

    /** Settings with conditions. */
    private record Settings(
            @Key(needs = "b", description = "A.") String one,

            @Key(
                    needs = {"b: x | y", "c[].d"},
                    upTo = "e",
                    description = "A.")
            String two,

            @Key(description = "A.") String three) {}

    private static Key key(int index) {
        return Settings.class.getRecordComponents()[index].getAnnotation(Key.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "false", "off", "none", "0", "0s", "0%", "0.0%", "0/s", "0B", "0ms"})
    void isOff(String value) {
        assertThat(KeyNeed.isOff(value)).isTrue();
        assertThat(KeyNeed.parse("key").isMetBy(value)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "on", "1", "0.5%", "0.01%", "10s", "offer", "nonexistent", "required", "0.0.0.0:1"})
    void isNotOff(String value) {
        assertThat(KeyNeed.isOff(value)).isFalse();
        assertThat(KeyNeed.parse("key").isMetBy(value)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "balance: ring-hash ~ ring-hash ~ true",
                "balance: ring-hash ~ ring ~ false",
                "kind: auto | epoll ~ epoll ~ true",
                "kind: auto | epoll ~ nio ~ false",
                "rewrite: null ~ null ~ true",
                "rewrite: null ~ /a ~ false",
                "per: header:NAME | cookie:NAME ~ cookie:id ~ true",
                "per: header:NAME | cookie:NAME ~ host ~ false",
            })
    void hasValues(String need, String value, boolean met) {
        assertThat(KeyNeed.parse(need).isMetBy(value)).isEqualTo(met);
        assertThat(KeyNeed.parse(need)).hasToString(need);
    }

    @Test
    void isDocumented() {
        assertThat(KeyNeed.documentation(key(0), "`")).isEqualTo(" Needs `b`.");
        assertThat(KeyNeed.documentation(key(1), "`")).isEqualTo(" Needs `b: x | y` or `c[].d`. Up to `e`.");
        assertThat(KeyNeed.documentation(key(1), "")).isEqualTo(" Needs b: x | y or c[].d. Up to e.");
        assertThat(KeyNeed.documentation(key(2), "`")).isEmpty();
        assertThat(KeyNeed.of(key(2))).isEmpty();
    }
}
