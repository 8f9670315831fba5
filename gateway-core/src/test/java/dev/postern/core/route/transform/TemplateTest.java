package dev.postern.core.route.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {

    @Test
    void bracesAreWrittenTwice() {
        assertThat(Template.of("{{\"a\":{{}}").constant()).isEqualTo("{\"a\":{}}");
        assertThat(Template.of("").constant()).isEmpty();
    }

    @Test
    void templatesWithPlaceholdersAreNotConstant() {
        assertThat(Template.of("a{path}").constant()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{path", "{hots}", "{}", "{Path}", "{client_address}"})
    void refusesUnknownPlaceholders(String text) {
        assertThatThrownBy(() -> Template.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(text + " (expected: none but {client-address} {host} {scheme} {path} {query}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nb", "a\nb", "a\0b", "a\u007fb", "\u0100"})
    void refusesCharactersThatAFieldCannotContain(String text) {
        assertThatThrownBy(() -> Template.of(text)).hasMessageContaining("(expected: visible characters");
    }
}
