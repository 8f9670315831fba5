package dev.postern.core.http1.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that only unambiguous heads are sent. {@code ~} is a line end. */
class OutboundHeadValidatorTest {

    private static final String REQUEST =
            "POST /a%2Fb?c=d HTTP/1.1\r\nhost: site.example\r\nX-Long_name.1: a value\twith \u00fc"
                    + " and some more of it\r\nEmpty:\r\ncontent-length: 12\r\n\r\n";
    private static final String RESPONSE =
            "HTTP/1.1 200 OK\r\nserver: x\r\nset-cookie: a=b; Path=/\r\ntransfer-encoding: chunked\r\n\r\n";

    private static boolean request(String head) {
        return check(head, true);
    }

    private static boolean response(String head) {
        return check(head, false);
    }

    private static boolean check(String head, boolean request) {
        byte[] bytes = head.getBytes(ISO_8859_1);
        int lines = fields(head);
        // The validator must not read what an earlier, longer head left in the buffer.
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 7);
        OutboundHeadValidator validator = new OutboundHeadValidator();
        return request
                ? validator.request(longer, bytes.length, lines)
                : validator.response(longer, bytes.length, lines);
    }

    /** Counts the fields of a valid head by its lines. */
    private static int fields(String head) {
        return Math.max(0, head.split("\r\n", -1).length - 3);
    }

    @Test
    void refusesAnUnexpectedNumberOfLines() {
        byte[] bytes = REQUEST.getBytes(ISO_8859_1);
        OutboundHeadValidator validator = new OutboundHeadValidator();
        assertThat(validator.request(bytes, bytes.length, 4)).isTrue();
        assertThat(validator.request(bytes, bytes.length, 3)).isFalse();
        assertThat(validator.request(bytes, bytes.length, 5)).isFalse();
    }

    private static String bytes(String text) {
        return text.replace("~", "\r\n")
                .replace("{LF}", "\n")
                .replace("{CR}", "\r")
                .replace("{TAB}", "\t")
                .replace("{NUL}", "\0");
    }

    @Test
    void acceptsValidHeads() {
        assertThat(request(REQUEST)).isTrue();
        assertThat(response(RESPONSE)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1~host:~~",
                "OPTIONS * HTTP/1.1~Host: h~~",
                "POST / HTTP/1.1~Host: h~Transfer-Encoding: Chunked~~",
                "POST / HTTP/1.1~HOST: h~Content-Length:0~~",
                "GET / HTTP/1.1~host: h~connection: upgrade~upgrade: websocket~~",
                "M-SEARCH /x HTTP/1.1~a: b~host: h~hosts: a~content-lengths: x~~",
            })
    void acceptsRequests(String head) {
        assertThat(request(bytes(head))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 204 ~~", "HTTP/1.1 299 ~a: b~~", "HTTP/1.1 101 Switching Protocols~upgrade: x~~"})
    void acceptsResponses(String head) {
        assertThat(response(bytes(head))).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "RFC 9112 3 no target | GET HTTP/1.1~host: h~~",
                "RFC 9112 3 blank in target | GET /a b HTTP/1.1~host: h~~",
                "RFC 9112 3 tab in target | GET /a{TAB}b HTTP/1.1~host: h~~",
                "RFC 9112 3 two requests | GET / HTTP/1.1~host: h~~GET / HTTP/1.1~host: h~~",
                "RFC 9112 3 bad method | G(T / HTTP/1.1~host: h~~",
                "RFC 9112 3 no method | / HTTP/1.1~host: h~~",
                "RFC 9112 2.3 other version | GET / HTTP/1.0~host: h~~",
                "RFC 9112 2.2 line feed in target | GET /a{LF}b HTTP/1.1~host: h~~",
                "RFC 9112 2.2 bare CR | GET / HTTP/1.1~host: h~a: b{CR}c~~",
                "RFC 9112 2.2 bare LF | GET / HTTP/1.1~host: h~a: b{LF}c: d~~",
                "RFC 9112 2.2 bare LF ends a line | GET / HTTP/1.1~host: h{LF}a: b~~",
                "RFC 9112 2.2 LF before CR | GET / HTTP/1.1~host: h{LF}{CR}a: b~~",
                "RFC 9110 5.5 NUL | GET / HTTP/1.1~host: h~a: b{NUL}c~~",
                "RFC 9112 5.2 folded | GET / HTTP/1.1~host: h~a: b~ c~~",
                "RFC 9112 5.2 folded by a tab | GET / HTTP/1.1~host: h~a: b~{TAB}c~~",
                "RFC 9112 5.1 blank before colon | GET / HTTP/1.1~host : h~~",
                "RFC 9112 5.1 no colon | GET / HTTP/1.1~host: h~nonsense~~",
                "RFC 9112 5.1 no name | GET / HTTP/1.1~host: h~: x~~",
                "RFC 9112 2.1 a line too few | GET / HTTP/1.1~host: h~",
                "RFC 9112 2.1 no end | GET / HTTP/1.1~host: h",
                "RFC 9112 2.1 bytes behind the head | GET / HTTP/1.1~host: h~~x",
                "RFC 9112 3.2 no Host | GET / HTTP/1.1~a: b~~",
                "RFC 9112 3.2 two Hosts | GET / HTTP/1.1~host: h~Host: h~~",
                "RFC 9112 6.3 two lengths | POST / HTTP/1.1~host: h~content-length: 1~Content-Length: 1~~",
                "RFC 9112 6.3 list of lengths | POST / HTTP/1.1~host: h~content-length: 1, 1~~",
                "RFC 9112 6.3 empty length | POST / HTTP/1.1~host: h~content-length: ~~",
                "RFC 9112 6.3 signed length | POST / HTTP/1.1~host: h~content-length: +1~~",
                "RFC 9112 6.3 endless length | POST / HTTP/1.1~host: h~content-length: 1234567890123456789~~",
                "RFC 9112 6.3 blank behind length | POST / HTTP/1.1~host: h~content-length: 1 ~~",
                "RFC 9112 6.3 length and coding | POST / HTTP/1.1~host: h~content-length: 1~transfer-encoding: chunked~~",
                "RFC 9112 6.3 two codings | POST / HTTP/1.1~host: h~transfer-encoding: chunked~transfer-encoding: chunked~~",
                "RFC 9112 6.1 other coding | POST / HTTP/1.1~host: h~transfer-encoding: gzip, chunked~~",
                "RFC 9112 6.1 coding with a tail | POST / HTTP/1.1~host: h~transfer-encoding: chunkedx~~",
            })
    void refusesRequests(String rule, String head) {
        assertThat(request(bytes(head))).as(rule).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "RFC 9112 4 no blank | HTTP/1.1200 OK~~",
                "RFC 9112 4 two digits | HTTP/1.1 20 OK~~",
                "RFC 9112 4 no blank behind the status | HTTP/1.1 200~~",
                "RFC 9112 4 letters | HTTP/1.1 2x0 OK~~",
                "RFC 9112 4 line feed in the reason | HTTP/1.1 200 O{LF}K~~",
                "RFC 9112 4 other version | HTTP/1.0 200 OK~~",
                "RFC 9112 4 two responses | HTTP/1.1 200 OK~~HTTP/1.1 200 OK~~",
                "RFC 9112 5 split | HTTP/1.1 200 OK~a: b~~<script>~~",
                "RFC 9112 6.3 two lengths | HTTP/1.1 200 OK~content-length: 1~content-length: 2~~",
                "RFC 9112 6.3 length and coding | HTTP/1.1 200 OK~content-length: 1~transfer-encoding: chunked~~",
            })
    void refusesResponses(String rule, String head) {
        assertThat(response(bytes(head))).as(rule).isFalse();
    }

    /** Covers every position, also at the borders of the eight bytes that the validator checks at once. */
    @Test
    void refusesControlCharactersAtEveryPosition() {
        for (int offset = 0; offset <= REQUEST.length(); offset++) {
            for (char control : new char[] {'\0', '\r', '\n', 0x0b, 0x1f, 0x7f}) {
                String head = REQUEST.substring(0, offset) + control + REQUEST.substring(offset);
                assertThat(request(head))
                        .as("U+%04x at %d", (int) control, offset)
                        .isFalse();
            }
        }
    }

    @Test
    void refusesEveryHeadThatEndsEarly() {
        for (int end = 0; end < REQUEST.length(); end++) {
            assertThat(request(REQUEST.substring(0, end))).as("%d", end).isFalse();
        }
        for (int end = 0; end < RESPONSE.length(); end++) {
            assertThat(response(RESPONSE.substring(0, end))).as("%d", end).isFalse();
        }
    }
}
