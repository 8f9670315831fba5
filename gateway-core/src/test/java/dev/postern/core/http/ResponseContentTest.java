package dev.postern.core.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseContentTest {

    @ParameterizedTest
    @CsvSource({
        "GET, 100, true, true",
        "GET, 199, true, true",
        "GET, 200, false, false",
        "GET, 204, true, true",
        "GET, 205, false, false",
        "GET, 304, true, false",
        "HEAD, 200, true, false",
        "HEAD, 404, true, false",
        "CONNECT, 200, true, false",
        "CONNECT, 299, true, false",
        "CONNECT, 300, false, false",
    })
    void knowsWhatEndsWithItsHead(String method, int status, boolean none, boolean unframed) {
        assertThat(ResponseContent.none(status, Method.of(method))).isEqualTo(none);
        assertThat(ResponseContent.unframed(status)).isEqualTo(unframed);
    }

    @ParameterizedTest
    @CsvSource({
        "1, GET, '', 103, false",
        "1, GET, '', 200, true",
        "1, GET, '', 204, false",
        "1, GET, '', 304, true",
        "1, HEAD, '', 200, true",
        "1, GET, websocket, 101, false",
        "1, GET, websocket, 200, true",
        "2, GET, websocket, 200, false",
        "2, GET, websocket, 302, true",
        "1, CONNECT, '', 200, false",
        "2, CONNECT, '', 200, false",
        "1, CONNECT, '', 405, true",
    })
    void keepsALengthWhereOneIsAllowed(int version, String method, String upgrade, int status, boolean kept) {
        RequestHead request = new RequestHead()
                .method(Method.of(method))
                .majorVersion(version)
                .upgrade(upgrade);
        ResponseHead head = new ResponseHead().status(status);
        head.add(FieldName.CONTENT_LENGTH, "5");
        ResponseContent.unframe(head, request);
        assertThat(head.has(FieldName.CONTENT_LENGTH)).isEqualTo(kept);
    }

    private static ResponseHead head(String... lengths) {
        ResponseHead head = new ResponseHead();
        for (String length : lengths) {
            head.add(FieldName.CONTENT_LENGTH, length);
        }
        return head;
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "5, 5", "5,5,5", "5|5", "5, 05|005", "5\t,\t5|5|5, 5"})
    void readsEqualLengthsAsOne(String lengths) {
        ResponseHead head = head(lengths.split("\\|", -1));
        assertThat(ResponseContent.length(head)).isEqualTo(5);
        assertThat(head.occurrences(FieldName.CONTENT_LENGTH)).isEqualTo(1);
        assertThat(head.value(FieldName.CONTENT_LENGTH)).isEqualTo("5");
    }

    @ParameterizedTest
    @ValueSource(strings = {"5, 6", "5,", ",5", "5,,5", "5, +5", "5 5", "", "0x5, 0x5", "-5, -5", "5; 5"})
    void refusesLengthsThatAreNotOne(String value) {
        assertThatThrownBy(() -> ResponseContent.length(head(value))).isInstanceOf(HttpParseException.class);
        assertThatThrownBy(() -> ResponseContent.length(head("5", value))).isInstanceOf(HttpParseException.class);
    }

    @Test
    void knowsNoLength() {
        assertThat(ResponseContent.length(head())).isEqualTo(-1);
    }
}
