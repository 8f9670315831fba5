package dev.postern.ratelimit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameAncestorsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "none | 'none'",
                "' none ' | 'none'",
                "self | 'self'",
                "* | *",
                "https://partner.example | https://partner.example",
                "HTTPS://Partner.Example | https://partner.example",
                "self, https://*.partner.example:8443 | 'self' https://*.partner.example:8443",
                "self http://127.0.0.1:* | 'self' http://127.0.0.1:*",
            })
    void namesSourcesOfThePolicy(String setting, String directive) {
        assertThat(FrameAncestors.directive(setting.replace("'", ""))).isEqualTo(directive);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "none self",
                "'none'",
                "partner.example",
                "https://partner.example/",
                "https://partner.example; script-src *",
                "https://partner.example\r\nSet-Cookie: a=b",
                "https://*",
                "https://*.*.example",
                "javascript:alert(1)",
                "self;self",
            })
    void refusesWhatIsNoOrigin(String setting) {
        assertThatThrownBy(() -> FrameAncestors.directive(setting))
                .hasMessageStartingWith("page.frame-ancestors: ")
                .hasMessageContaining("(expected: none, or some of self, *, https://partner.example");
    }
}
