package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.RST_STREAM;
import static dev.postern.core.testing.FrameClient.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Response;
import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.MemoryGateway;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.testing.WebSocketHandshake;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests tunnels that are streams at one or both ends: CONNECT on forward listeners, WebSockets on reverse listeners (RFC 9113 section 8.5,
 * RFC 8441).
 */
@ExtendWith(LeakExtension.class)
class TunnelsTest {

    private final MemoryGateway gateway = new MemoryGateway();
    private final MemoryGateway gateway2 =
            new MemoryGateway(MemoryGateway.setup().toHttp2(null));

    @AfterEach
    void close() {
        gateway.close();
        gateway2.close();
    }

    private static final String DESTINATION = "127.0.0.1:8080";
    private static final int ENABLE_CONNECT_PROTOCOL = 8;
    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
    private static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="; // example of RFC 6455 section 1.3
    private static final String[] OK = {":status", "200"};

    private static String[] webSocket(String... fields) {
        String[] ask = {
            ":method", "CONNECT",
            ":protocol", "websocket",
            ":scheme", "http",
            ":authority", "site.example",
            ":path", "/chat?a=b",
            "sec-websocket-version", "13"
        };
        String[] all = java.util.Arrays.copyOf(ask, ask.length + fields.length);
        System.arraycopy(fields, 0, all, ask.length, fields.length);
        return all;
    }

    // ---- CONNECT

    private FrameClient connected(String target) {
        FrameClient client = gateway.forwardClient2();
        return client.headers(1, false, ":method", "CONNECT", ":authority", target);
    }

    @Test
    void connectsAndRelaysBothWays() {
        try (FrameClient client = connected(DESTINATION)) {
            Line line = gateway.accept();
            client.await(HEADERS);
            assertThat(client.soFar(1).status()).isEqualTo("200");
            client.data(1, false, "ping");
            assertThat(line.read(4)).isEqualTo("ping");
            line.send("pong");
            client.await(DATA);
            assertThat(client.soFar(1).body()).isEqualTo("pong");
            client.data(1, true, "last words");
            assertThat(line.rest()).isEqualTo("last words");
            line.send("answer").finish();
            Response response = client.response(1);
            assertThat(response.body()).isEqualTo("ponganswer");
            assertThat(response.ended()).isTrue();
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
        }
        assertThat(gateway.ended()).hasSize(1);
        assertThat(gateway.ended().get(0).outcome().cut()).isFalse();
    }

    @Test
    void connectsWhateverHostSays() {
        try (FrameClient client = gateway.forwardClient2()) {
            client.headers(1, false, ":method", "CONNECT", ":authority", DESTINATION, "host", "proxy.example:3128");
            Line line = gateway.accept();
            client.await(HEADERS);
            assertThat(client.soFar(1).status()).isEqualTo("200");
            client.data(1, true, "ping");
            assertThat(line.rest()).isEqualTo("ping");
            line.finish();
            assertThat(client.response(1).ended()).isTrue();
        }
    }

    @Test
    void manyTunnelsShareAConnection() {
        try (FrameClient client = connected(DESTINATION)) {
            Line one = gateway.accept();
            client.headers(3, false, ":method", "CONNECT", ":authority", DESTINATION);
            Line two = gateway.accept();
            client.data(1, false, "one").data(3, false, "two");
            assertThat(one.read(3)).isEqualTo("one");
            assertThat(two.read(3)).isEqualTo("two");
            client.reset(1);
            assertThat(one.closedByPeer()).isTrue();
            two.send("still here");
            client.await(DATA);
            assertThat(client.soFar(3).body()).isEqualTo("still here");
        }
    }

    @Test
    void refusesTheSameDestinationsAsHttp1() {
        try (MemoryGateway strict =
                        new MemoryGateway(MemoryGateway.setup().forward(List.of("443"), List.of("127.0.0.0/8")));
                FrameClient client = strict.forwardClient2()) {
            client.headers(1, false, ":method", "CONNECT", ":authority", "127.0.0.1:22");
            assertThat(client.response(1).status()).isEqualTo("403");
            assertThat(client.soFar(1).body()).contains("destination-forbidden");
        }
    }

    @Test
    void aDestinationThatReadsNothingPausesItsOwnStream() {
        try (FrameClient client = connected(DESTINATION)) {
            Line line = gateway.accept();
            client.await(HEADERS);
            int sent = StreamWindow.fill(client);
            assertThat(line.read(sent)).hasSize(sent);
        }
    }

    @Test
    void aDestinationThatAbortsResetsTheStream() {
        try (FrameClient client = connected(DESTINATION)) {
            Line line = gateway.accept();
            client.await(HEADERS);
            line.reset();
            assertThat(client.await(RST_STREAM).stream()).isEqualTo(1);
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
        }
    }

    // ---- WebSockets

    @Test
    void announcesSupport() {
        try (FrameClient client = gateway.client2()) {
            byte[] settings = client.await(SETTINGS).payload();
            boolean notified = false;
            for (int i = 0; i < settings.length; i += 6) {
                notified |= settings[i + 1] == ENABLE_CONNECT_PROTOCOL && settings[i + 5] == 1;
            }
            assertThat(notified).isTrue();
        }
    }

    @Test
    void opensAWebSocketToAServerOfHttp1() {
        try (FrameClient client = gateway.client2()) {
            client.headers(1, false, webSocket("origin", "http://site.example"));
            Line line = gateway.accept();
            String head = line.readHead();
            assertThat(head).startsWith("GET /chat?a=b HTTP/1.1\r\n");
            assertThat(head.toLowerCase(Locale.ROOT))
                    .contains("\r\nconnection: upgrade\r\n", "\r\nupgrade: websocket\r\n", "\r\norigin: http://site")
                    .doesNotContain("content-length", "transfer-encoding", ":protocol");
            WebSocketHandshake.agree(line, head);
            client.await(HEADERS);
            Response response = client.soFar(1);
            assertThat(response.status()).isEqualTo("200");
            assertThat(response.field("sec-websocket-accept") + response.field("upgrade"))
                    .isEmpty();
            assertThat(response.field("content-length"))
                    .as("no bound of a tunnel")
                    .isEmpty();
            client.data(1, false, "ping");
            assertThat(line.read(4)).isEqualTo("ping");
            line.send("pong").finish();
            assertThat(client.response(1).body()).isEqualTo("pong");
        }
    }

    @Test
    void opensAWebSocketFromStreamToStream() {
        try (FrameClient client = gateway2.client2()) {
            client.headers(1, false, webSocket());
            FrameClient server = gateway2.accept2(ENABLE_CONNECT_PROTOCOL, 1);
            server.await(HEADERS);
            assertThat(server.soFar(1).field(":protocol")).isEqualTo("websocket");
            assertThat(server.soFar(1).field("sec-websocket-key")).isEmpty();
            server.headers(1, false, OK);
            client.await(HEADERS);
            client.data(1, false, "ping");
            server.await(DATA);
            assertThat(server.soFar(1).body()).isEqualTo("ping");
            server.data(1, false, "pong");
            client.await(DATA);
            client.get(3, "/other");
            server.await(HEADERS);
            server.headers(3, false, OK).data(3, true, "other");
            assertThat(client.response(3).body()).isEqualTo("other");
            client.data(1, true, "");
            server.response(1);
            server.data(1, true, "bye");
            assertThat(client.response(1).body()).isEqualTo("pongbye");
            assertThat(client.response(1).ended()).isTrue();
        }
    }

    @Test
    void aClientThatDisconnectsEndsTheStreamToTheServer() {
        try (FrameClient client = gateway2.client2()) {
            client.headers(1, false, webSocket());
            FrameClient server = gateway2.accept2(ENABLE_CONNECT_PROTOCOL, 1);
            server.await(HEADERS);
            server.headers(1, false, OK);
            client.await(HEADERS);
            client.reset(1);
            assertThat(server.await(RST_STREAM).error()).isEqualTo("CANCEL");
            assertThat(server.outcome(0)).isEqualTo("ALIVE");
        }
    }

    @Test
    void sendsNoRequestToAServerWithoutSupport() {
        try (FrameClient client = gateway2.client2()) {
            client.headers(1, false, webSocket());
            FrameClient server = gateway2.accept2();
            assertThat(client.response(1).status()).isEqualTo("501");
            assertThat(server.outcome(0)).isEqualTo("ALIVE");
            assertThat(server.soFar(1).field(":method")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1 200 OK~Content-Length: 2~~ok, 501",
        "HTTP/1.1 404 No~Content-Length: 2~~no, 404",
        "HTTP/1.1 426 Upgrade~Content-Length: 2~~no, 426",
        "HTTP/1.1 101 S~Connection: Upgrade~Upgrade: websocket~Sec-WebSocket-Accept: forged~~, 502",
        "HTTP/1.1 101 S~Connection: Upgrade~Upgrade: websocket~~, 502",
        "HTTP/1.1 101 S~Connection: Upgrade~Upgrade: h2c~~, 502"
    })
    void opensNoTunnelWithoutAgreement(String response, String status) {
        try (FrameClient client = gateway.client2()) {
            client.headers(1, false, webSocket());
            Line line = gateway.accept();
            line.readHead();
            line.send(response.replace("~", "\r\n"));
            assertThat(client.response(1).status()).isEqualTo(status);
            client.get(3, "/next");
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "connect-udp, CONNECT, http, /, 501",
        "websocket, GET, http, /, 400",
        "websocket, CONNECT, http, '', 400",
        "websocket, CONNECT, '', /, 400",
        "web socket, CONNECT, http, /, 400"
    })
    void refusesInvalidExtendedConnect(String protocol, String method, String scheme, String path, String status) {
        try (FrameClient client = gateway.client2()) {
            client.headers(
                    1,
                    false,
                    ":method",
                    method,
                    ":protocol",
                    protocol,
                    ":scheme",
                    scheme,
                    ":authority",
                    "site.example",
                    ":path",
                    path);
            assertThat(client.response(1).status()).isEqualTo(status);
        }
    }

    @Test
    void opensAWebSocketOfHttp1ToAServerOfHttp2() {
        try (RawClient client = gateway2.client()) {
            client.send("GET /chat HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY + "\r\n\r\nearly");
            FrameClient server = gateway2.accept2(ENABLE_CONNECT_PROTOCOL, 1);
            assertThat(server.await(HEADERS).has(FrameClient.END_STREAM)).isFalse();
            Response request = server.soFar(1);
            assertThat(request.field(":method")).isEqualTo("CONNECT");
            assertThat(request.field(":protocol")).isEqualTo("websocket");
            assertThat(request.field(":path")).isEqualTo("/chat");
            assertThat(request.field("sec-websocket-version")).isEqualTo("13");
            assertThat(request.field("sec-websocket-key") + request.field("upgrade") + request.field("connection"))
                    .isEmpty();
            server.headers(1, false, OK);
            RawClient.Response agreed = client.readHead();
            assertThat(agreed.status()).isEqualTo(101);
            assertThat(agreed.field("Upgrade")).isEqualTo("websocket");
            assertThat(agreed.field("Sec-WebSocket-Accept")).isEqualTo(ACCEPT);
            while (request.length() < 5) {
                server.next();
            }
            assertThat(request.body()).isEqualTo("early");
            server.data(1, false, "hello");
            assertThat(client.readBytes(5)).isEqualTo("hello");
            client.finish();
            assertThat(server.response(1).ended()).isTrue();
            server.data(1, true, "bye");
            assertThat(client.readBytes(3)).isEqualTo("bye");
            assertThat(client.closedByPeer()).isTrue();
            assertThat(server.outcome(0)).isEqualTo("ALIVE");
        }
        assertThat(gateway2.upstream().idle()).isEqualTo(1);
    }
}
