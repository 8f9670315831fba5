package dev.postern.core.proxy;

import static dev.postern.core.testing.FrameClient.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests responses without content whose head announces some, or behind which a server sends some, with both protocols on both sides: the
 * client gets the head and no framing field that its library refuses, and no byte of the content becomes another response.
 */
@ExtendWith(LeakExtension.class)
class ResponsesWithoutContentTest {

    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    private final MemoryGateway gateway = new MemoryGateway();
    private final MemoryGateway gateway2 =
            new MemoryGateway(MemoryGateway.setup().toHttp2(null));

    @AfterEach
    void close() {
        gateway.close();
        gateway2.close();
    }

    /** Interim and final head as the client of HTTP/1.1 or of HTTP/2 sees them: statuses, and framing fields of all. */
    private record Seen(String statuses, String framing) {

        static Seen by(RawClient client, String method) {
            String statuses = "";
            StringBuilder framing = new StringBuilder();
            do {
                RawClient.Response next = method.equals("HEAD") ? client.readHead() : client.read();
                statuses += (statuses.isEmpty() ? "" : ",") + next.status();
                for (String line : next.head().toLowerCase(Locale.ROOT).split("\r\n", -1)) {
                    framing.append(line.startsWith("content-length") || line.startsWith("transfer-e") ? line : "");
                }
            } while (statuses.matches("(.*,)?1..")); // interim
            return new Seen(statuses, framing.toString());
        }

        static Seen by(FrameClient client, int stream) {
            FrameClient.Response response = client.response(stream);
            assertThat(response.reset()).isEmpty();
            String interim = response.interim();
            String length = response.field("content-length");
            String coding = response.field("transfer-encoding");
            return new Seen(
                    (interim.isEmpty() ? "" : interim + ",") + response.status(),
                    (length.isEmpty() ? "" : "content-length: " + length) + coding);
        }
    }

    private static String bytes(String text) {
        return text.replace("~", "\r\n");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "204, length 0       | GET  | 204 No~Content-Length: 0~~                              | 204     |                   | kept",
                "204, length         | GET  | 204 No~Content-Length: 5~~                              | 204     |                   | closed",
                "204, length, body   | GET  | 204 No~Content-Length: 5~~hello                         | 204     |                   | closed",
                "204, chunked        | GET  | 204 No~Transfer-Encoding: chunked~~                     | 204     |                   | closed",
                "204, chunked, body  | GET  | 204 No~Transfer-Encoding: chunked~~0~~                  | 204     |                   | closed",
                "204, both           | GET  | 204 No~Transfer-Encoding: chunked~Content-Length: 5~~   | 204     |                   | closed",
                "103, length 0       | GET  | 103 E~Content-Length: 0~~{OK}Content-Length: 0~~        | 103,200 | content-length: 0 | kept",
                "103, length         | GET  | 103 E~Content-Length: 5~~{OK}Content-Length: 0~~        | 103,200 | content-length: 0 | closed",
                "103, chunked        | GET  | 103 E~Transfer-Encoding: chunked~~{OK}Content-Length: 0~~ | 103,200 | content-length: 0 | closed",
                "102, then 204       | GET  | 102 P~Content-Length: 3~~HTTP/1.1 204 No~Content-Length: 0~~ | 102,204 |              | closed",
                "304, length         | GET  | 304 No~Content-Length: 5~~                              | 304     | content-length: 5 | kept",
                "304, chunked        | GET  | 304 No~Transfer-Encoding: chunked~~                     | 304     |                   | kept",
                "304, both           | GET  | 304 No~Transfer-Encoding: chunked~Content-Length: 5~~   | 304     |                   | closed",
                "HEAD, length        | HEAD | 200 OK~Content-Length: 5~~                              | 200     | content-length: 5 | kept",
                "HEAD, chunked       | HEAD | 200 OK~Transfer-Encoding: chunked~~                     | 200     |                   | kept",
                "HEAD, both          | HEAD | 200 OK~Content-Length: 5~Transfer-Encoding: chunked~~   | 200     |                   | closed",
                "HEAD, body          | HEAD | 200 OK~Content-Length: 5~~hello                         | 200     | content-length: 5 | closed",
                "HEAD of 1.0 coded   | HEAD | {1.0}200 OK~Connection: keep-alive~Transfer-Encoding: chunked~~ | 200 |               | closed",
                "205, length 0       | GET  | 205 Reset~Content-Length: 0~~                           | 205     | content-length: 0 | kept",
            })
    void ofHttp1(String name, String method, String response, String statuses, String framing, String line) {
        String framed = framing == null ? "" : framing;
        String text = bytes(response.startsWith("{1.0}") ? "HTTP/1.0 " + response.substring(5) : "HTTP/1.1 " + response)
                .replace("{OK}", "HTTP/1.1 200 OK\r\n");
        try (RawClient client = gateway.client();
                FrameClient client2 = gateway.client2()) {
            client.send(GET.replace("GET", method));
            Line first = respond(text);
            assertThat(Seen.by(client, method)).as("HTTP/1.1").isEqualTo(new Seen(statuses, framed));
            Line other = next(client, line, first);
            other.finish();

            client2.headers(1, true, FrameClient.request(method, "/"));
            Line second = respond(text);
            assertThat(Seen.by(client2, 1)).as("HTTP/2").isEqualTo(new Seen(statuses, framed));
            assertThat(client2.soFar(1).body()).isEmpty();
            second.finish();
        }
    }

    private Line respond(String text) {
        Line line = gateway.accept();
        line.readHead();
        return line.send(text);
    }

    /** Sends the next request, and checks whether it uses the connection of the response before. */
    private Line next(RawClient client, String expected, Line first) {
        Line line = first;
        if (expected.equals("closed")) {
            assertThat(first.closedByPeer()).isTrue();
            client.send(GET);
            line = gateway.accept();
        } else {
            client.send(GET);
        }
        line.readHead();
        line.ok("next");
        assertThat(client.read().body()).isEqualTo("next");
        return line;
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "204 with length 0, GET, 204, 0, '', '', 204, ''",
        "204 with a length, GET, 204, 5, '', '', 204, ''",
        "204 with content, GET, 204, '', hello, '', 204, ''",
        "204 with length and content, GET, 204, 5, hello, '', 204, ''",
        "304 with content, GET, 304, 5, hello, '', 304, content-length: 5",
        "HEAD with a length, HEAD, 200, 5, '', '', 200, content-length: 5",
        "HEAD with content, HEAD, 200, 5, hello, '', 200, content-length: 5",
        "103 with a length, GET, 200, 0, '', 5, '103,200', content-length: 0",
        "102 with a length then 204, GET, 204, 0, '', 1, '102,204', ''",
    })
    void ofHttp2(
            String name,
            String method,
            String status,
            String length,
            String content,
            String interim,
            String statuses,
            String framing) {
        try (RawClient client = gateway2.client();
                FrameClient client2 = gateway2.client2()) {
            client.send(GET.replace("GET", method));
            FrameClient server = gateway2.accept2();
            respond(server, 1, statuses, status, length, content, interim);
            assertThat(Seen.by(client, method)).as("HTTP/1.1").isEqualTo(new Seen(statuses, framing));
            client2.headers(1, true, FrameClient.request(method, "/"));
            respond(server, 3, statuses, status, length, content, interim);
            assertThat(Seen.by(client2, 1)).as("HTTP/2").isEqualTo(new Seen(statuses, framing));
            assertThat(client2.soFar(1).body()).isEmpty();

            client.send(GET);
            server.await(HEADERS);
            server.headers(5, false, ":status", "200").data(5, true, "next");
            assertThat(client.read().body()).isEqualTo("next");
        }
    }

    private static void respond(
            FrameClient server,
            int stream,
            String statuses,
            String status,
            String length,
            String content,
            String interim) {
        server.await(HEADERS);
        if (!interim.isEmpty()) {
            server.headers(stream, false, ":status", statuses.substring(0, 3), "content-length", interim);
        }
        String[] fields = length.isEmpty()
                ? new String[] {":status", status}
                : new String[] {":status", status, "content-length", length};
        server.headers(stream, content.isEmpty(), fields);
        if (!content.isEmpty()) {
            server.data(stream, false, content).data(stream, true, "more");
        }
    }

    @Test
    void aTunnelHasNoLength() {
        try (RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n");
            Line line = gateway.accept();
            line.readHead();
            line.send("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
                    + "Content-Length: 0\r\n\r\nhello");
            RawClient.Response response = client.readHead();
            assertThat(response.status()).isEqualTo(101);
            assertThat(response.field("Content-Length")).isEmpty();
            assertThat(client.readBytes(5)).isEqualTo("hello");
        }
    }
}
