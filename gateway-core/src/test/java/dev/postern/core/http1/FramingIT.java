package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.CoreGateway;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What two parsers could read differently is refused, the connection closed, and nothing of it reaches the upstream. */
@ExtendWith(LeakExtension.class)
class FramingIT {

    private static TestOrigin origin;
    private static CoreGateway gateway;

    @BeforeAll
    static void start() {
        origin = new TestOrigin();
        gateway = new CoreGateway(Setup.of(origin.address()));
    }

    @AfterAll
    static void stop() {
        gateway.close();
        origin.close();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "RFC 9112 6.3 length beside coding | 400 | POST / HTTP/1.1~Host: h~Content-Length: 4~Transfer-Encoding: chunked~~0~~",
                "RFC 9112 6.3 list of lengths | 400 | POST / HTTP/1.1~Host: h~Content-Length: 4, 4~~abcd",
                "RFC 9112 6.3 repeated length | 400 | POST / HTTP/1.1~Host: h~Content-Length: 4~Content-Length: 4~~abcd",
                "RFC 9112 6.3 different lengths | 400 | POST / HTTP/1.1~Host: h~Content-Length: 4~Content-Length: 5~~abcd",
                "RFC 9110 8.6 length with sign | 400 | POST / HTTP/1.1~Host: h~Content-Length: +4~~abcd",
                "RFC 9110 8.6 empty length | 400 | POST / HTTP/1.1~Host: h~Content-Length:~~",
                "RFC 9110 8.6 length in hex | 400 | POST / HTTP/1.1~Host: h~Content-Length: 0x4~~abcd",
                "RFC 9110 8.6 length overflows | 400 | POST / HTTP/1.1~Host: h~Content-Length: 99999999999999999999~~",
                "RFC 9112 6.1 chunked is not last | 400 | POST / HTTP/1.1~Host: h~Transfer-Encoding: chunked, x~~0~~",
                "RFC 9112 6.1 chunked twice | 400 | POST / HTTP/1.1~Host: h~Transfer-Encoding: chunked, chunked~~0~~",
                "RFC 9112 6.1 two codings | 400 | POST / HTTP/1.1~Host: h~Transfer-Encoding: chunked~Transfer-Encoding: x~~0~~",
                "RFC 9112 6.1 unknown coding | 501 | POST / HTTP/1.1~Host: h~Transfer-Encoding: gzip~~",
                "RFC 9112 6.1 coding in 1.0 | 400 | POST / HTTP/1.0~Host: h~Transfer-Encoding: chunked~~0~~",
                "RFC 9112 6.1 tab in coding | 400 | POST / HTTP/1.1~Host: h~Transfer-Encoding: chunked{TAB};x~~0~~",
                "RFC 9112 7.1 bad chunk size | 400 | POST / HTTP/1.1~Host: h~Transfer-Encoding: chunked~~zz~abc~0~~",
                "RFC 9112 7.1 signed chunk size | 400 | POST / HTTP/1.1~Host: h~Transfer-Encoding: chunked~~+3~abc~0~~",
                "RFC 9112 7.1 blank before size | 400 | POST / HTTP/1.1~Host: h~Transfer-Encoding: chunked~~ 3~abc~0~~",
                "RFC 9112 7.1 chunk too long | 400 | POST / HTTP/1.1~Host: h~Transfer-Encoding: chunked~~3~abcd~0~~",
                "RFC 9112 7.1 size overflows | 400 | POST / HTTP/1.1~Host: h~Transfer-Encoding: chunked~~10000000000000003~abc~0~~",
                "RFC 9112 7.1.1 LF in extension | 400 | POST / HTTP/1.1~Host: h~Transfer-Encoding: chunked~~3;a{LF}b~abc~0~~",
                "RFC 9112 7.1.2 trailer without name | 400 | POST / HTTP/1.1~Host: h~Transfer-Encoding: chunked~~0~: x~~",
                "RFC 9112 5.1 blank before colon | 400 | GET / HTTP/1.1~Host: h~X-A : b~~",
                "RFC 9112 5.2 folded line | 400 | GET / HTTP/1.1~Host: h~X-A: b~ c~~",
                "RFC 9112 2.2 folded first line | 400 | GET / HTTP/1.1~ Host: h~~",
                "RFC 9110 5.1 empty name | 400 | GET / HTTP/1.1~Host: h~: b~~",
                "RFC 9110 5.1 no colon | 400 | GET / HTTP/1.1~Host: h~nonsense~~",
                "RFC 9110 5.6.2 bad name | 400 | GET / HTTP/1.1~Host: h~X(A): b~~",
                "RFC 9110 5.5 NUL in value | 400 | GET / HTTP/1.1~Host: h~X-A: a{NUL}b~~",
                "RFC 9110 5.5 DEL in value | 400 | GET / HTTP/1.1~Host: h~X-A: a{DEL}b~~",
                "RFC 9112 2.2 bare CR in value | 400 | GET / HTTP/1.1~Host: h~X-A: a{CR}b~~",
                "RFC 9112 2.2 bare LF | 400 | GET / HTTP/1.1{LF}Host: h{LF}{LF}",
                "RFC 9112 2.2 bare LF after a field | 400 | GET / HTTP/1.1~Host: h~X-A: b{LF}~~",
                "RFC 9112 3.2 no Host | 400 | GET / HTTP/1.1~~",
                "RFC 9112 3.2 two Hosts | 400 | GET / HTTP/1.1~Host: h~Host: h~~",
                "RFC 9112 3.2 Host with user | 400 | GET / HTTP/1.1~Host: a@h~~",
                "RFC 9112 3.2 Host with path | 400 | GET / HTTP/1.1~Host: h/x~~",
                "RFC 9112 3.2 Host with bad port | 400 | GET / HTTP/1.1~Host: h:99999~~",
                "RFC 9112 3.2.2 Host and target differ | 400 | GET http://a/ HTTP/1.1~Host: b~~",
                "RFC 9112 3.2 target with fragment | 400 | GET /a#b HTTP/1.1~Host: h~~",
                "RFC 9112 3.2 backslash in target | 400 | GET /a\\b HTTP/1.1~Host: h~~",
                "RFC 9112 3 two blanks | 400 | GET  / HTTP/1.1~Host: h~~",
                "RFC 9112 3 tab for blank | 400 | GET{TAB}/ HTTP/1.1~Host: h~~",
                "RFC 9112 3 blank in target | 400 | GET /a b HTTP/1.1~Host: h~~",
                "RFC 9112 3 no version | 400 | GET /~Host: h~~",
                "RFC 9112 2.3 version in lower case | 400 | GET / http/1.1~Host: h~~",
                "RFC 9112 2.3 major version | 505 | GET / HTTP/2.0~Host: h~~",
                "RFC 9112 3.1 bad method | 400 | G@T / HTTP/1.1~Host: h~~",
                "RFC 9112 3.2 relative target | 400 | GET page HTTP/1.1~Host: h~~",
                "RFC 9112 3.2 other scheme | 400 | GET ftp://h/ HTTP/1.1~Host: h~~",
                "RFC 9112 3.2.4 asterisk for GET | 400 | GET * HTTP/1.1~Host: h~~",
                "RFC 3986 6.2 above the root | 400 | GET /../etc HTTP/1.1~Host: h~~",
                "RFC 3986 2.1 broken escape | 400 | GET /%zz HTTP/1.1~Host: h~~",
                "RFC 3986 2.1 encoded NUL | 400 | GET /%00 HTTP/1.1~Host: h~~",
                "RFC 3986 6.2 dots behind an encoded slash | 400 | GET /a/..%2f..%2fb HTTP/1.1~Host: h~~",
                "RFC 9110 10.1.1 other expectation | 417 | POST / HTTP/1.1~Host: h~Content-Length: 1~Expect: magic~~x",
                "RFC 9110 9.3.8 TRACE | 405 | TRACE / HTTP/1.1~Host: h~~",
                "RFC 9110 9.3.6 CONNECT on a reverse listener | 405 | CONNECT a:443 HTTP/1.1~Host: a:443~~",
            })
    void refuses(String rule, int status, String request) {
        int before = origin.received().size();
        try (RawClient client = new RawClient(gateway.port())) {
            RawClient.Response response = client.send(bytes(request)).read();
            assertThat(response.status()).as(rule).isEqualTo(status);
            assertThat(response.field("Content-Type")).isEqualTo("application/problem+json");
            if (status != 405) {
                assertThat(response.field("Connection")).isEqualTo("close");
                assertThat(client.closedByPeer()).isTrue();
            }
        }
        // Chunked bodies are relayed as they come, so their head may have gone out; a complete request never does.
        if (!rule.contains(" 7.1")) {
            assertThat(origin.received()).hasSize(before);
        }
    }

    private static String bytes(String request) {
        return request.replace("~", "\r\n")
                .replace("{LF}", "\n")
                .replace("{CR}", "\r")
                .replace("{TAB}", "\t")
                .replace("{NUL}", "\0")
                .replace("{DEL}", "\u007f");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "/a/./b, /a/b",
        "/a/x/../b, /a/b",
        "//a///b, /a/b",
        "/%61%2d, /a-",
        "/a%2fb, /a%2Fb",
        "/%7euser/, /~user/",
        "/.hidden, /.hidden",
        "/a/..;/b, /a/..;/b",
        "/?q=//../%2e, /?q=//../%2e",
    })
    void forwardsOneSpellingOfAPath(String sent, String forwarded) {
        try (RawClient client = new RawClient(gateway.port())) {
            assertThat(client.get(sent).status()).isEqualTo(200);
        }
        assertThat(origin.received().get(origin.received().size() - 1).line())
                .isEqualTo("GET " + forwarded + " HTTP/1.1");
    }

    @Test
    void refusesAHeadBeyondTheLimit() {
        try (RawClient client = new RawClient(gateway.port())) {
            assertThat(client.send("GET / HTTP/1.1\r\nHost: h\r\nX: " + "y".repeat(17_000))
                            .read()
                            .status())
                    .isEqualTo(431);
        }
        try (RawClient client = new RawClient(gateway.port())) {
            assertThat(client.send("GET /" + "y".repeat(17_000)).read().status())
                    .isEqualTo(414);
        }
    }

    @Test
    void readsAHeadThatComesByteByByte() {
        try (RawClient client = new RawClient(gateway.port())) {
            for (char c : "\r\nGET /slow HTTP/1.1\r\nHost: h\r\nX-Odd:\tv \r\n\r\n".toCharArray()) {
                client.send(String.valueOf(c));
            }
            assertThat(client.read().status()).isEqualTo(200);
        }
        assertThat(origin.received().get(origin.received().size() - 1).field("X-Odd"))
                .isEqualTo("v");
    }

    @Test
    void answersHttp10ByItsRules() {
        try (RawClient client = new RawClient(gateway.port())) {
            RawClient.Response kept = client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\nHost: h\r\n\r\n")
                    .read();
            assertThat(kept.field("Connection")).isEqualTo("keep-alive");
            RawClient.Response last =
                    client.send("GET / HTTP/1.0\r\nHost: h\r\n\r\n").read();
            assertThat(last.field("Connection")).isEqualTo("close");
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    @Test
    void answersWhatCameBeforeTheClientFinished() {
        try (RawClient client = new RawClient(gateway.port())) {
            assertThat(client.send("GET /half HTTP/1.1\r\nHost: h\r\n\r\n")
                            .finish()
                            .read()
                            .status())
                    .isEqualTo(200);
            assertThat(client.closedByPeer()).isTrue();
        }
    }
}
