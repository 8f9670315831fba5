package dev.postern.core.route.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a path cannot redirect a client to another host: the permitted forms of a target. */
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
    void acceptsOwnTargets(String target) {
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
    void refusesTargetsThatAClientCouldChoose(String target) {
        assertThatThrownBy(() -> Redirect.of(target, 308, "site.example"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(target + " (expected: a place such as https://{host}{path}{query}");
    }

    @Test
    void refusesTheHostOfTheRequestWithoutAHostOfTheRoute() {
        assertThatThrownBy(() -> Redirect.of("https://{host}/", 308, "*"))
                .hasMessageContaining("or a route with one, since clients name any host");
        assertThat(Redirect.of("https://{host}/", 308, "*.site.example")).isNotNull();
        assertThat(Redirect.of("https://site.example{path}", 308, "*")).isNotNull();
    }

    @Test
    void refusesBlanksAndNonAsciiLetters() {
        assertThatThrownBy(() -> Redirect.of("/a b", 308, "*")).hasMessageContaining("without blanks");
        assertThatThrownBy(() -> Redirect.of("/a\r\nX: y", 308, "*")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Redirect.of("/\u00fc", 308, "*")).hasMessageContaining("ASCII");
    }
}
