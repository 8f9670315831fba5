package dev.postern.core.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathRulesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%C0%AF",
                "%C0",
                "%c1%a1",
                "%E0%80%AF",
                "%E0%9F%BF",
                "%F0%80%80%AF",
                "%F0%8F%BF%BF",
                "%F5%80%80%80",
                "%FE",
                "%FF"
            })
    void refusesBytesThatAreNotUtf8(String escapes) {
        assertThat(PathRules.normalise("/a" + escapes + "b")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%C2%80",
                "%DF%BF",
                "%E0%A0%80",
                "%EF%BF%BF",
                "%F0%90%80%80",
                "%F4%8F%BF%BF",
                "%E9",
                "%E0",
                "%F0x"
            })
    void keepsOtherEscapes(String escapes) {
        assertThat(PathRules.normalise("/a" + escapes + "b")).isEqualTo("/a" + escapes + "b");
    }
}
