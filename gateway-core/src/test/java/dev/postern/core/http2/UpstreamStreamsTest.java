package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.PING;
import static dev.postern.core.testing.FrameClient.RST_STREAM;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Frame;
import dev.postern.core.testing.FrameClient.Response;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests exchanges as concurrent streams of one upstream connection: their flow control, and how each of them ends. */
@ExtendWith(LeakExtension.class)
class UpstreamStreamsTest {

    private static final String[] OK = {":status", "200"};

    private final MemoryGateway gateway =
            new MemoryGateway(MemoryGateway.setup().toHttp2(null));

    @AfterEach
    void close() {
        gateway.close();
    }

    private FrameClient client(int... settings) {
        return gateway.client2(settings);
    }

    private static void ok(FrameClient server, int stream, String body) {
        server.headers(stream, false, OK).data(stream, true, body);
    }

    // ---- requests

    @Test
    void sendsARequestInTheServersProtocol() {
        try (FrameClient client = client()) {
            client.get(1, "/a/./b?q=1", "cookie", "a=1", "cookie", "b=2", "x-a", "b", "te", "trailers");
            FrameClient server = gateway.accept2();
            Frame head = server.await(HEADERS);
            assertThat(head.has(FrameClient.END_STREAM)).isTrue();
            Response request = server.soFar(1);
            assertThat(request.field(":method")).isEqualTo("GET");
            assertThat(request.field(":scheme")).isEqualTo("http");
            assertThat(request.field(":authority")).isEqualTo("site.example");
            assertThat(request.field(":path")).isEqualTo("/a/./b?q=1");
            assertThat(request.field("cookie")).isEqualTo("a=1; b=2");
            assertThat(request.field("x-a")).isEqualTo("b");
            assertThat(request.field("te")).isEqualTo("trailers");
            assertThat(request.field("via")).isEqualTo("2.0 postern");
            assertThat(request.field("host") + request.field("connection")).isEmpty();
            ok(server, 1, "hello");
            Response response = client.response(1);
            assertThat(response.body()).isEqualTo("hello");
            assertThat(response.field("via")).isEqualTo("2.0 postern");
        }
    }

    @Test
    void servesClientsOfHttp1() {
        try (RawClient client = gateway.client()) {
            client.send("POST /p HTTP/1.1\r\nHost: H.example\r\nConnection: X-B\r\nX-B: c\r\nX-Up: d\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nx-sum: 7\r\n\r\n");
            FrameClient server = gateway.accept2();
            assertThat(server.response(1).body()).isEqualTo("hello");
            Response request = server.soFar(1);
            assertThat(request.field("x-b") + request.field("transfer-encoding"))
                    .isEmpty();
            assertThat(request.field("x-up")).isEqualTo("d");
            assertThat(request.field("x-sum")).as("a trailer").isEqualTo("7");
            assertThat(request.field("via")).isEqualTo("1.1 postern");
            ok(server, 1, "world");
            RawClient.Response response = client.read();
            assertThat(response.body()).isEqualTo("world");
            assertThat(response.field("Transfer-Encoding")).isEqualTo("chunked");

            client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
            server.await(HEADERS);
            server.headers(3, true, OK);
            assertThat(client.read().body()).isEmpty();
            client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n");
            server.await(HEADERS);
            server.headers(5, true, ":status", "200", "content-length", "9");
            assertThat(client.readHead().field("Content-Length")).isEqualTo("9");
        }
    }

    @Test
    void sendsBodiesWithinTheWindows() {
        String piece = "x".repeat(16_000);
        try (FrameClient client = client()) {
            client.post(1, "/");
            FrameClient server = gateway.accept2(4, 1000);
            server.await(HEADERS);
            client.data(1, false, piece).data(1, false, piece).data(1, true, piece);
            while (server.soFar(1).length() < 1000) {
                server.next();
            }
            assertThat(server.outcome(0)).isEqualTo("ALIVE");
            assertThat(server.soFar(1).length()).isEqualTo(1000);
            client.get(3, "/other"); // which the first does not delay
            server.await(HEADERS);
            ok(server, 3, "other");
            assertThat(client.response(3).body()).isEqualTo("other");
            server.window(1, 100_000).window(0, 100_000);
            assertThat(server.response(1).length()).isEqualTo(48_000);
            ok(server, 1, "all");
            assertThat(client.response(1).body()).isEqualTo("all");
        }
    }

    @Test
    void pausesAClientWhoseServerReadsNothing() {
        try (FrameClient client = client()) {
            client.post(1, "/");
            FrameClient server = gateway.accept2(4, 0);
            server.await(HEADERS);
            int sent = StreamWindow.fill(client);
            assertThat(sent).as("buffered bytes").isLessThan(160_000);
            server.window(1, 1_000_000).window(0, 1_000_000);
            while (server.soFar(1).length() < sent) {
                server.next();
            }
            client.data(1, true, "");
            server.response(1);
            ok(server, 1, "all");
            assertThat(client.response(1).body()).isEqualTo("all");
        }
    }

    // ---- responses

    @Test
    void clientsThatDisconnectResetOnlyTheirStream() {
        try (FrameClient client = client();
                FrameClient other = client()) {
            client.get(1, "/");
            other.get(1, "/other");
            FrameClient server = gateway.accept2();
            server.await(HEADERS);
            server.await(HEADERS);
            int theirs = server.soFar(1).field(":path").equals("/") ? 1 : 3;
            client.reset(1);
            assertThat(server.await(RST_STREAM).stream()).isEqualTo(theirs);
            server.data(theirs, true, "on its way");
            ok(server, 4 - theirs, "other");
            assertThat(other.response(1).body()).isEqualTo("other");
            assertThat(server.outcome(0)).isEqualTo("ALIVE");
        }
    }

    @Test
    void manyExchangesShareAConnection() {
        try (FrameClient client = client()) {
            for (int i = 1; i <= 9; i += 2) {
                client.get(i, "/" + i);
            }
            FrameClient server = gateway.accept2();
            for (int i = 0; i < 5; i++) {
                server.await(HEADERS);
            }
            for (int i = 9; i >= 1; i -= 2) {
                ok(server, i, server.soFar(i).field(":path"));
            }
            for (int i = 1; i <= 9; i += 2) {
                assertThat(client.response(i).body()).isEqualTo("/" + i);
            }
        }
        assertThat(gateway.gauge("postern.upstream.connections", "state", "open"))
                .isEqualTo(1);
        assertThat(gateway.upstream().idle()).isEqualTo(1);
    }

    @Test
    void aSlowClientPausesOnlyItsOwnStream() {
        String piece = "x".repeat(16_000);
        try (FrameClient slow = client(4, 0);
                FrameClient fast = client()) {
            slow.get(1, "/slow");
            FrameClient server = gateway.accept2();
            server.await(HEADERS);
            server.headers(1, false, OK);
            int window = 65_535;
            int connection = 65_535;
            int sent = 0;
            for (int probe = 0; probe < 2; ) {
                if (window >= 16_000 && connection >= 16_000) {
                    server.data(1, false, piece);
                    window -= 16_000;
                    connection -= 16_000;
                    sent += 16_000;
                    continue;
                }
                server.frame(PING, 0, 0, new byte[8]);
                boolean more = false;
                for (Frame frame = server.next(); frame != null && frame.type() != PING; frame = server.next()) {
                    if (frame.type() == FrameClient.WINDOW_UPDATE) {
                        more = true;
                        if (frame.stream() == 0) {
                            connection += frame.number(0);
                        } else {
                            window += frame.number(0);
                        }
                    }
                }
                probe = more ? 0 : probe + 1;
            }
            assertThat(sent).as("bytes that the gateway buffers").isLessThan(200_000);
            assertThat(connection).as("the window of the connection").isGreaterThan(32_000);
            fast.get(1, "/fast");
            server.await(HEADERS);
            ok(server, 3, "fast");
            assertThat(fast.response(1).body()).isEqualTo("fast");
            server.data(1, true, "");
            slow.window(1, 1_000_000).window(0, 1_000_000);
            assertThat(slow.response(1).length()).isEqualTo(sent);
        }
    }

    // ---- beginning and end

    @Test
    void closesAConnectionOfAnotherProtocol() {
        try (FrameClient client = client()) {
            client.get(1, "/");
            FrameClient server = gateway.silent2();
            server.bytes("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".getBytes(ISO_8859_1));
            assertThat(client.response(1).status()).isEqualTo("502");
            assertThat(server.soFar(1).field(":path")).isEmpty();
        }
    }
}
