package dev.postern.app.authorize;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.LeakExtension;
import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.TestOrigin;
import dev.postern.core.testing.WebSocketHandshake;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that one question admits a WebSocket, an event stream and a large upload through each proxy that asks. */
@ExtendWith(LeakExtension.class)
class ProxyStreamsIT {

    private static final int UPLOAD = 8 << 20;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource
    void admitsStreams(ProxyKind kind) throws IOException {
        try (AskedSite site = AskedSite.behind(kind, folder, AskedSite.TOKENS)) {
            opensAWebSocket(site);
            sendsEventsAtOnce(site);
            takesAnUpload(site);
            dropsAnUploadWithoutToken(site);
        }
    }

    private static void opensAWebSocket(AskedSite site) {
        site.origin.behave(ProxyStreamsIT::echo);
        String[] upgrade = {
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
        };
        assertThat(site.get("/chat", upgrade).status()).isEqualTo(401);
        String token = site.token();
        String request = AskedSite.request("GET", "/chat", upgrade[0], upgrade[1], upgrade[2], upgrade[3], token);
        try (RawClient client = site.client()) {
            RawClient.Response accepted = client.send(request).readHead();
            assertThat(accepted.status()).isEqualTo(101);
            assertThat(accepted.field("Sec-WebSocket-Accept")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
            assertThat(client.send("frames").readBytes(6)).isEqualTo("frames");
            assertThat(client.send("further").readBytes(7)).isEqualTo("further");
        }
        assertThat(site.send(request).status()).as("spent").isEqualTo(401);
        assertThat(site.origin.received()).hasSize(1);
    }

    private static void echo(TestOrigin.Received request, Socket socket) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(WebSocketHandshake.response(request.head()).getBytes(ISO_8859_1));
        InputStream in = socket.getInputStream();
        for (int b = in.read(); b >= 0; b = in.read()) {
            out.write(b);
        }
    }

    /** The second event is sent only when the client has got the first. */
    private static void sendsEventsAtOnce(AskedSite site) {
        CountDownLatch seen = new CountDownLatch(1);
        site.origin.behave((request, socket) -> {
            OutputStream out = socket.getOutputStream();
            out.write(
                    ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nX-Accel-Buffering: no\r\nTransfer-Encoding: chunked\r\n\r\n"
                                    + "9\r\ndata: 1\n\n\r\n")
                            .getBytes(ISO_8859_1));
            try {
                boolean both = seen.await(30, TimeUnit.SECONDS);
                out.write((both ? "9\r\ndata: 2\n\n\r\n0\r\n\r\n" : "0\r\n\r\n").getBytes(ISO_8859_1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        String token = site.token();
        try (RawClient client = site.client()) {
            client.send(AskedSite.request("GET", "/events", "Accept: text/event-stream", token));
            client.readUntil("data: 1\n\n");
            seen.countDown();
            client.readUntil("data: 2\n\n");
        }
    }

    private static void takesAnUpload(AskedSite site) {
        site.origin.behave(TestOrigin.Behaviour.ok("stored"));
        site.origin.received().clear();
        RawClient.Response response = site.send(
                AskedSite.request("POST", "/files", site.token(), "Content-Length: " + UPLOAD) + "x".repeat(UPLOAD));
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("stored");
        assertThat(site.origin.received()).singleElement().satisfies(received -> {
            assertThat(received.line()).isEqualTo("POST /files HTTP/1.1");
            assertThat(received.body()).hasSize(UPLOAD);
        });
    }

    private static void dropsAnUploadWithoutToken(AskedSite site) {
        site.origin.received().clear();
        try (RawClient client = site.client()) {
            // Less than proxies read of a body that they do not need; more, and some close the connection before the
            // client has the response.
            String body = "x".repeat(32 << 10);
            RawClient.Response response = client.send(
                            AskedSite.request("POST", "/files", "Content-Length: " + body.length()) + body)
                    .read();
            assertThat(response.status()).isEqualTo(401);
            assertThat(response.body()).contains("\"token-required\"");
        }
        assertThat(site.origin.received()).isEmpty();
    }
}
