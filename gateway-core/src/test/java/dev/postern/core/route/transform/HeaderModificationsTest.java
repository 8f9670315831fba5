package dev.postern.core.route.transform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.fuzz.TestExchanges;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderModificationsTest {

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
    void refusesFieldsForFramingRoutingAndConnections(String name) {
        assertThat(HeaderModifications.touchable(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-A", "cache-control", "Via", "X-Forwarded-For", "Set-Cookie", "x_y.z"})
    void permitsOtherFields(String name) {
        assertThat(HeaderModifications.touchable(name)).isTrue();
    }

    /** RFC 9113 section 8.2.1: a message with such a value is malformed. */
    @ParameterizedTest
    @ValueSource(strings = {"a {query}", "{query} a", " a\t", "a"})
    void removesBlanksAroundAValue(String value) {
        RequestHead head = new RequestHead().method(Method.GET).target("/", "");
        FieldName name = FieldName.of("x-a");

        new HeaderModifications(List.of(), List.of(), List.of(new HeaderModification(name, Template.of(value))))
                .apply(head, TestExchanges.exchange(TestExchanges.UNTRUSTED, head, List.of()));

        assertThat(head.value(name)).isEqualTo("a");
    }
}
