package dev.postern.core.route.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody can lead others elsewhere by what stands in a path: the shapes that a place may have. */
class RedirectTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://{host}{path}{query}",
                "https://{host}:8443{path}",
                "http://other.example",
                "https://other.example/x?from={path}",
                "https://[::1]:80/",
                "https://other.example{query}",
                "/new",
                "/",
                "/new{path}",
                "{path}?x=1",
                "/x/{host}#top",
            })
    void takesPlacesThatAreOurs(String target) {
        assertThat(Redirect.of(target, 308, "site.example")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "//other.example",
                "/\\other.example",
                "/{path}",
                "https://{path}",
                "https://other.example.{host}{path}",
                "https:/{path}",
                "https://{query}",
                "{host}{path}",
                "{query}",
                "javascript:alert(1)",
                "https://{client-address}/",
                "{scheme}://{host}/",
                "https://user@other.example/",
                "other",
                "?x",
            })
    void refusesPlacesThatAClientCouldChoose(String target) {
        assertThatThrownBy(() -> Redirect.of(target, 308, "site.example"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(target + " (expected: a place such as https://{host}{path}{query}");
    }

    @Test
    void refusesAHostThatAnybodyMayAskFor() {
        assertThatThrownBy(() -> Redirect.of("https://{host}/", 308, "*"))
                .hasMessageContaining("or a route with one, since clients name any host");
        assertThat(Redirect.of("https://{host}/", 308, "*.site.example")).isNotNull();
        assertThat(Redirect.of("https://site.example{path}", 308, "*")).isNotNull();
    }

    @Test
    void refusesBlanksAndForeignLetters() {
        assertThatThrownBy(() -> Redirect.of("/a b", 308, "*")).hasMessageContaining("without blanks");
        assertThatThrownBy(() -> Redirect.of("/a\r\nX: y", 308, "*")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Redirect.of("/\u00fc", 308, "*")).hasMessageContaining("ASCII");
    }
}
