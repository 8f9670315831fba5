package dev.postern.core.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawClient.Response;
import dev.postern.core.testing.RawOrigin.Line;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests arbitrary upstream responses: the client receives the complete response, an error that names the fault, or a truncated response, but
 * never the response of another request.
 */
@ExtendWith(LeakExtension.class)
class UpstreamResponsesTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    private final MemoryGateway gateway = new MemoryGateway();
    private final RawClient client = gateway.client();

    @AfterEach
    void close() {
        client.close();
        gateway.close();
    }

    /** Returns the gateway's connection to the origin once a request has arrived on it. */
    private Line acceptRequest(String request) {
        client.send(request);
        Line line = gateway.accept();
        line.readHead();
        return line;
    }

    private static String bytes(String text) {
        return text.replace("~", "\r\n").replace("{LF}", "\n").replace("{NUL}", "\0");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "not HTTP at all | SSH-2.0-OpenSSH_9.2~~",
                "RFC 9112 4 no version | 200 OK~~",
                "RFC 9112 4 two digits | HTTP/1.1 20 OK~~",
                "RFC 9112 4 status in letters | HTTP/1.1 2x0 OK~~",
                "RFC 9110 15 status beyond 999 | HTTP/1.1 1000 OK~~",
                "RFC 9110 15 status below 100 | HTTP/1.1 099 OK~~",
                "RFC 9112 2.3 major version | HTTP/2.0 200 OK~~",
                "RFC 9112 2.2 bare LF | HTTP/1.1 200 OK{LF}Content-Length: 0{LF}{LF}",
                "RFC 9112 5.1 blank before colon | HTTP/1.1 200 OK~Content-Length : 0~~",
                "RFC 9112 5.2 folded line | HTTP/1.1 200 OK~X-A: b~ c~Content-Length: 0~~",
                "RFC 9110 5.5 NUL in value | HTTP/1.1 200 OK~X-A: a{NUL}b~Content-Length: 0~~",
                "RFC 9112 6.3 different lengths | HTTP/1.1 200 OK~Content-Length: 1~Content-Length: 2~~ab",
                "RFC 9112 6.3 list of lengths | HTTP/1.1 200 OK~Content-Length: 2, 3~~ab",
                "RFC 9110 8.6 negative length | HTTP/1.1 200 OK~Content-Length: -1~~",
                "RFC 9112 6.3 length beside coding | HTTP/1.1 200 OK~Content-Length: 2~Transfer-Encoding: chunked~~0~~",
                "RFC 9112 6.1 coding in 1.0 | HTTP/1.0 200 OK~Transfer-Encoding: chunked~~0~~",
                "RFC 9112 6.1 chunked is not last | HTTP/1.1 200 OK~Transfer-Encoding: chunked, gzip~~0~~",
                "RFC 9110 15.2.2 an upgrade that was not requested | HTTP/1.1 101 Switching Protocols~Upgrade: x~~",
            })
    void refusesMalformedResponses(String rule, String text) {
        Line line = acceptRequest(GET);
        line.send(bytes(text));
        Response response = client.read();
        assertThat(response.status()).as(rule).isEqualTo(502);
        assertThat(response.body()).contains("\"code\":\"upstream-malformed\"");
        assertThat(line.closedByPeer()).isTrue();
        acceptRequest(GET).ok("next");
        assertThat(client.read().body()).isEqualTo("next");
    }

    @Test
    void refusesAHeadWithoutAnEnd() {
        Line line = acceptRequest(GET);
        line.send("HTTP/1.1 200 OK\r\nX: " + "y".repeat(70_000));
        assertThat(client.read().body()).contains("upstream-malformed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 2", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 103 Early Hints\r\n\r\n"})
    void refusesAResponseThatEndsWithinItsHead(String begun) {
        acceptRequest(GET).send(begun).close();
        Response response = client.read();
        if (response.status() == 103) {
            response = client.read();
        }
        assertThat(response.status()).isEqualTo(502);
        assertThat(response.body()).contains("\"code\":\"upstream-closed\"");
        acceptRequest(GET).ok("next");
        assertThat(client.read().body()).isEqualTo("next");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "size that is no number | 4~half~nonsense~",
                "chunk longer than said | 4~halfx~0~~",
                "size beyond all bounds | 4~half~ffffffffffffffff~",
                "line feed in an extension | 4~half~4;a{LF}b~half~0~~",
            })
    void truncatesAResponseWithMalformedChunks(String manner, String chunks) {
        Line line = acceptRequest(GET);
        String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        line.send(head + "5\r\nbegun\r\n");
        String begun = client.readBytes(head.length());
        line.send(bytes(chunks));
        String all = begun + client.readBytes(100_000);
        assertThat(all).as(manner).contains("200 OK", "begun").doesNotContain("\r\n0\r\n");
        assertThat(line.closedByPeer()).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "size that is no number | nonsense~",
                "and a good one before it | 4~half~nonsense~",
                "chunk longer than said | 4~halfx~0~~",
                "trailer that is no field | 4~half~0~no field~~",
            })
    void respondsWithAnErrorWhenNothingWasSent(String manner, String chunks) {
        Line line = acceptRequest(GET);
        line.send("HTTP/1.1 200 OK\r\nX-Theirs: 1\r\nTransfer-Encoding: chunked\r\n\r\n" + bytes(chunks));
        RawClient.Response response = client.read();
        assertThat(response.status()).as(manner).isEqualTo(502);
        assertThat(response.body()).contains("\"code\":\"upstream-malformed\"");
        assertThat(response.head()).doesNotContain("X-Theirs");
        assertThat(line.closedByPeer()).isTrue();
        assertThat(gateway.ended()).hasSize(1);
        assertThat(gateway.ended().get(0).outcome().cut()).isFalse();
        acceptRequest(GET).ok("the connection is still good");
        assertThat(client.read().status()).isEqualTo(200);
    }

    @Test
    void discardsASecondResponseInTheSamePiece() {
        Line line = acceptRequest(GET);
        line.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmineHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison");
        assertThat(client.read().body()).isEqualTo("mine");
        assertThat(line.closedByPeer()).isTrue();
        acceptRequest(GET).ok("yours");
        assertThat(client.read().body()).isEqualTo("yours");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "GET  | HTTP/1.1 204 No Content~~bytes",
                "GET  | HTTP/1.1 304 Not Modified~Content-Length: 5~~bytes",
                "HEAD | HTTP/1.1 200 OK~Content-Length: 5~~bytes",
            })
    void discardsBytesAfterAResponseWithoutABody(String method, String response) {
        Line line = acceptRequest(method + " / HTTP/1.1\r\nHost: h\r\n\r\n");
        line.send(bytes(response));
        assertThat(client.readHead().status()).isIn(200, 204, 304);
        assertThat(line.closedByPeer()).isTrue();
        acceptRequest(GET).ok("next");
        assertThat(client.read().body()).isEqualTo("next");
    }

    @Test
    void keepsTheConnectionAfterAResponseWithoutABody() {
        Line line = acceptRequest(GET);
        line.send("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n");
        assertThat(client.read().field("Content-Length")).isEqualTo("5");
        client.send(GET);
        line.readHead();
        line.ok("same line");
        assertThat(client.read().body()).isEqualTo("same line");
    }

    @Test
    void relaysAResponseToAnIncompleteRequest() {
        Line line = acceptRequest("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 20\r\n\r\n0123456789");
        line.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\n\r\ntoo");
        Response response = client.read();
        assertThat(response.status()).isEqualTo(413);
        assertThat(response.body()).isEqualTo("too");
        // The rest of the body is discarded, and no other request uses the connection that still waits for it.
        client.send("0123456789");
        acceptRequest(GET).ok("next");
        assertThat(client.read().body()).isEqualTo("next");
    }

    @Test
    void framesAResponseOfHttp10ThatEndsWithItsConnection() {
        acceptRequest(GET).send("HTTP/1.0 200 OK\r\n\r\nold").close();
        Response response = client.read();
        assertThat(response.head()).startsWith("HTTP/1.1 200");
        assertThat(response.body()).isEqualTo("old");
    }

    @Test
    void acceptsAResponseByteByByte() {
        Line line = acceptRequest(GET);
        for (char c :
                "HTTP/1.1 200 \r\nTransfer-Encoding: Chunked\r\n\r\n00a\r\n0123456789\r\n0\r\n\r\n".toCharArray()) {
            line.send(String.valueOf(c));
        }
        assertThat(client.read().body()).isEqualTo("0123456789");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "fewer bytes than promised | Content-Length: 10~~half",
                "no last chunk | Transfer-Encoding: chunked~~4~half~",
                "end inside a chunk | Transfer-Encoding: chunked~~9~half",
                "end inside the trailers | Transfer-Encoding: chunked~~4~half~0~X-T: ",
            })
    void truncatesAnIncompleteResponse(String manner, String rest) {
        acceptRequest(GET).send("HTTP/1.1 200 OK\r\n" + bytes(rest)).close();
        String all = client.readBytes(100_000);
        assertThat(all).as(manner).contains("200 OK", "half").doesNotContain("\r\n0\r\n");
        assertThat(client.closedByPeer()).isTrue();
        assertThat(gateway.ended()).hasSize(1);
        assertThat(gateway.ended().get(0).outcome().cut()).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"Content-Length: 10\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"})
    void resetsTheClientWhenAResponseIsIncomplete(String rest) throws IOException {
        Line line = acceptRequest(GET);
        line.send("HTTP/1.1 200 OK\r\n" + rest);
        assertThat(client.readUntil("half")).contains("200 OK");
        line.close();
        assertThat(client.readEnd()).isEqualTo("reset");
    }
}
