package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.RST_STREAM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.FrameClient.Response;
import dev.postern.core.testing.GatewayBeforeOrigins;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.RawOrigin.Line;
import org.junit.jupiter.api.Test;

/**
 * Tests tunnels that are streams at one or both ends: CONNECT on forward listeners, WebSockets on reverse listeners (RFC 9113 section 8.5,
 * RFC 8441).
 */
class TunnelsIT extends GatewayBeforeOrigins {

    private static final int ENABLE_CONNECT_PROTOCOL = 8;
    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
    private static final String ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="; // example of RFC 6455 section 1.3
    private static final String[] OK = {":status", "200"};

    // ---- CONNECT

    private FrameClient connected(String target) {
        FrameClient client = FrameClient.connect(gateway().forwardPort());
        return client.headers(1, false, ":method", "CONNECT", ":authority", target);
    }

    @Test
    void connectsAndRelaysBothWays() {
        try (FrameClient client = connected(origin.address())) {
            Line line = origin.accept();
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
        await().until(() -> gateway().ended().size() == 1);
        assertThat(gateway().ended().get(0).outcome().cut()).isFalse();
    }

    @Test
    void aDestinationThatAbortsResetsTheStream() {
        try (FrameClient client = connected(origin.address())) {
            Line line = origin.accept();
            client.await(HEADERS);
            line.reset();
            assertThat(client.await(RST_STREAM).stream()).isEqualTo(1);
            assertThat(client.outcome(0)).isEqualTo("ALIVE");
        }
    }

    // ---- WebSockets

    @Test
    void opensAWebSocketOfHttp1ToAServerOfHttp2() {
        try (RawClient client = new RawClient(gateway2().port())) {
            client.send("GET /chat HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + KEY + "\r\n\r\nearly");
            FrameClient server = origin2.accept(ENABLE_CONNECT_PROTOCOL, 1);
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
        await().until(() -> gateway2().upstream().idle() == 1);
    }
}
