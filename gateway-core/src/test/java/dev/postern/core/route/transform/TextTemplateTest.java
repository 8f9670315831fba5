package dev.postern.core.route.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextTemplateTest {

    private static TextTemplate of(String text) {
        return TextTemplate.of(text, List.of("request-id", "status"));
    }

    private static String filled(String text) {
        return of(text).fill(word -> "<" + word + ">");
    }

    @Test
    void fillsPlaceholders() {
        assertThat(filled("{status}: {request-id}{status}.")).isEqualTo("<status>: <request-id><status>.");
        assertThat(of("{status}").constant()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "}",
                "{}",
                "{ status }",
                "{\"status\":{\"a\":1}}",
                "h1{color:red}",
                "{Status}",
                "{-x}",
                "{a b}",
                "${0}",
                "{\n}"
            })
    void otherBracesAreText(String text) {
        assertThat(filled(text)).isEqualTo(text);
        assertThat(of(text).constant()).isTrue();
    }

    @Test
    void aDoubledBraceMakesAWordText() {
        assertThat(filled("{{status} {{other}")).isEqualTo("{status} {other}");
        assertThat(filled("{{{status}")).isEqualTo("{{status}");
    }

    @Test
    void refusesUnknownPlaceholders() {
        assertThatThrownBy(() -> of("a {code} b"))
                .hasMessage("{code} (expected: none but {request-id} {status}, and {{code} for the text itself)");
    }
}
