package dev.postern.core.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorityTest {

    @ParameterizedTest
    @CsvSource({
        "API.Example, api.example",
        "api.example., api.example",
        "Api.Example.:80, api.example:80",
        "api.example:00080, api.example:80",
        "a_b.example, a_b.example",
        "127.0.0.1:8080, 127.0.0.1:8080",
        "[::1], [::1]",
        "[0:0:0:0:0:0:0:1]:8080, [::1]:8080",
        "[2001:DB8::00ff]:0443, [2001:db8::ff]:443",
        "[2001:db8:0:0:1:0:0:1], [2001:db8::1:0:0:1]",
        "[::ffff:1.2.3.4], [::ffff:102:304]",
        "a.example:, a.example",
        "A.example.:, a.example",
        "192.0.2.1:, 192.0.2.1",
        "[::1]:, [::1]"
    })
    void normalizesHosts(String text, String expected) {
        assertThat(Authority.parse(text, false)).isEqualTo(expected);
        assertThat(Authority.parse(expected, false))
                .as("a normalized host does not change")
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".",
                "..",
                "a..",
                "a..b",
                ".a",
                ".:80",
                "a%2Eb",
                "a%",
                "%61",
                "a,b",
                "a;b",
                "a b",
                "a@b",
                "a/b",
                "a*",
                "(a)",
                "[::1%25eth0]",
                "[::1%eth0]",
                "[1.2.3.4]",
                "[::1",
                "[]",
                ":",
                "a::",
                "a: ",
                "[::1]::",
                "[::1]x",
                "a:0",
                "a:65536",
                "a:000080",
                "a:8x",
                "::1"
            })
    void refusesOtherText(String text) {
        assertThatThrownBy(() -> Authority.parse(text, false)).isInstanceOf(HttpParseException.class);
    }

    @Test
    void comparesNormalizedHosts() {
        assertThat(Authority.same(Authority.parse("A.example.", false), Authority.parse("a.example:80", false), "http"))
                .isTrue();
        assertThat(Authority.same("a.example", "a.example:80", "https")).isFalse();
    }
}
