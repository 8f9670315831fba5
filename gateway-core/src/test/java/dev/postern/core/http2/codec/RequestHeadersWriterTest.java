package dev.postern.core.http2.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.Trailers;
import dev.postern.core.testing.RawField;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the fields of requests to HTTP/2 servers, and the heads that are not sent because servers could read them in two ways. */
class RequestHeadersWriterTest {

    private static RequestHead head(String method, String path) {
        RequestHead head = new RequestHead().method(Method.of(method)).target(path, "");
        head.add(FieldName.HOST, "a.example");
        return head;
    }

    private static List<String> lines(@Nullable Http2Headers headers) {
        List<String> lines = new ArrayList<>();
        if (headers == null) {
            return List.of("not sent");
        }
        headers.forEach(field -> lines.add(field.getKey() + ": " + field.getValue()));
        return lines;
    }

    private static List<String> request(RequestHead head) {
        return lines(RequestHeadersWriter.request(head, AsciiString.of("https")));
    }

    @Test
    void writesPseudoHeadersFirstAndNamesInLowerCase() {
        RequestHead head = head("GET", "/a");
        RawField.add(head, "X-Mixed", "B c");
        head.add(FieldName.of("removed"), "r");
        head.remove(FieldName.of("removed"));
        head.add(FieldName.CONNECTION, "x-a");
        head.add(FieldName.KEEP_ALIVE, "5");
        head.add(FieldName.PROXY_CONNECTION, "close");
        head.add(FieldName.TRANSFER_ENCODING, "chunked");
        head.add(FieldName.of("empty"), "");

        assertThat(request(head))
                .containsExactlyInAnyOrder(
                        ":method: GET",
                        ":path: /a",
                        ":scheme: https",
                        ":authority: a.example",
                        "x-mixed: B c",
                        "empty: ");
        assertThat(request(head).subList(0, 4)).allMatch(line -> line.startsWith(":"));
    }

    @ParameterizedTest
    @CsvSource({"GET", "POST", "PATCH", "X-OWN"})
    void writesAnyMethod(String method) {
        assertThat(request(head(method, "/"))).contains(":method: " + method);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x-a    | a\tb     | true",
                "x-a    | a\u00e9  | true",
                "x-a    | 'a\nb'   | false",
                "x-a    | 'a\rb'   | false",
                "x-a    | 'a\0b'   | false",
                "x-a    | ' a'     | false",
                "x-a    | 'a '     | false",
                "x-a    | 'a\t'    | false",
                "'x a'  | a        | false",
                "'x:a'  | a        | false",
                "''     | a        | false",
            })
    void sendsNoFieldThatCouldBeReadInTwoWays(String name, String value, boolean sent) {
        RequestHead head = head("GET", "/");
        RawField.add(head, name, value);
        assertThat(request(head).contains("not sent")).isEqualTo(!sent);

        Trailers trailers = new Trailers();
        RawField.add(trailers, name, value);
        assertThat(lines(RequestHeadersWriter.trailers(trailers)).contains("not sent"))
                .isEqualTo(!sent);
    }

    @ParameterizedTest
    @CsvSource({"'', false", "/, true", "'/a b', false", "'/a\tb', false", "'/a\u007fb', false", "/a%20b, true"})
    void sendsNoTargetWithABlank(String target, boolean sent) {
        assertThat(request(head("GET", target)).contains("not sent")).isEqualTo(!sent);
    }

    @Test
    void sendsNoRequestWithoutExactlyOneHost() {
        RequestHead none = new RequestHead().target("/", "");
        assertThat(request(none)).containsExactly("not sent");
        RequestHead two = head("GET", "/");
        two.add(FieldName.HOST, "b.example");
        assertThat(request(two)).containsExactly("not sent");
        RequestHead blank = new RequestHead().target("/", "");
        blank.add(FieldName.HOST, "a b");
        assertThat(request(blank)).containsExactly("not sent");
        RequestHead empty = new RequestHead().target("/", "");
        empty.add(FieldName.HOST, "");
        assertThat(request(empty)).containsExactly("not sent");
    }

    @ParameterizedTest
    @CsvSource({
        "-, 0, true",
        "-, -1, true",
        "-, 3, false",
        "3, 3, true",
        "3, 4, false",
        "3, 0, false",
        "3, -1, false",
        "0, 0, true",
        "0, -1, false",
        "+3, 3, false",
    })
    void comparesTheLengthWithTheBody(String announced, long body, boolean sent) {
        RequestHead head = head("POST", "/").bodyLength(body);
        if (!announced.equals("-")) {
            RawField.add(head, "content-length", announced);
        }
        assertThat(request(head).contains("not sent")).isEqualTo(!sent);
    }

    @Test
    void writesAnUpgradeAsExtendedConnect() {
        RequestHead head = head("GET", "/chat").upgrade("websocket");
        head.add(FieldName.UPGRADE, "websocket");
        head.add(FieldName.CONNECTION, "upgrade");
        RawField.add(head, "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
        RawField.add(head, "Sec-WebSocket-Version", "13");

        assertThat(request(head))
                .containsExactlyInAnyOrder(
                        ":method: CONNECT",
                        ":protocol: websocket",
                        ":path: /chat",
                        ":scheme: https",
                        ":authority: a.example",
                        "sec-websocket-version: 13");
    }
}
