package dev.postern.core.headers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestStartTest {

    @ParameterizedTest
    @CsvSource({
        "t=1764457200.125, 2025-11-29T23:00:00.125Z",
        "1764457200.5, 2025-11-29T23:00:00.500Z",
        "1764457200125, 2025-11-29T23:00:00.125Z",
        "t=1764457200125250, 2025-11-29T23:00:00.125250Z",
        "1764457200, 2025-11-29T23:00:00Z"
    })
    void readsWhatProxiesWrite(String text, String time) {
        assertThat(RequestStart.parse(text)).hasToString(time);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "t=",
                "now",
                "1",
                "-1764457200",
                "17644572001",
                "1764457200.",
                "1764457200.1234567890",
                "t=1764457200 x"
            })
    void readsNothingElse(String text) {
        assertThat(RequestStart.parse(text)).isNull();
    }
}
