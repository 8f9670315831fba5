package dev.postern.core.edit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldRulesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "content-length",
                "Transfer-Encoding",
                "TE",
                "Trailer",
                "Upgrade",
                "Connection",
                "Keep-Alive",
                "Proxy-Connection",
                "Expect",
                "",
                "a b",
                "a:",
                "a\r\nb",
                "\u00e4"
            })
    void leavesFramingRoutingAndConnectionsAlone(String name) {
        assertThat(FieldRules.touchable(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-A", "cache-control", "Via", "X-Forwarded-For", "Set-Cookie", "x_y.z"})
    void changesAnythingElse(String name) {
        assertThat(FieldRules.touchable(name)).isTrue();
    }
}
