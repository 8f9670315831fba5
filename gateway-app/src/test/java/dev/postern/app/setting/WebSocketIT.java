package dev.postern.app.setting;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postern.core.testing.TestOrigin;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests a WebSocket (RFC 6455) of a standard client through a route that requires a token. */
class WebSocketIT {

    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    private final class RecordingListener implements WebSocket.Listener {

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
            received.add(text.toString());
            return WebSocket.Listener.super.onText(socket, text, last);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
            received.add("closed " + status);
            return WebSocket.Listener.super.onClose(socket, status, reason);
        }
    }

    @Test
    void sendsInBothDirectionsForOneToken() throws InterruptedException {
        try (Site site = Site.requiringTokens()) {
            site.origin.behave(WebSocketIT::echo);
            String token = site.token();
            WebSocket socket = open(site, token);
            assertThat(received.poll(10, TimeUnit.SECONDS)).isEqualTo("welcome");
            socket.sendText("hello", true).join();
            assertThat(received.poll(10, TimeUnit.SECONDS)).isEqualTo("hello");
            socket.sendText("\u00fc".repeat(30), true).join();
            assertThat(received.poll(10, TimeUnit.SECONDS)).isEqualTo("\u00fc".repeat(30));
            socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
            assertThat(received.poll(10, TimeUnit.SECONDS)).isEqualTo("closed 1000");

            assertThat(site.origin.received()).hasSize(1);
            assertThat(site.origin.received().get(0).field("Authorization")).isEmpty();
            assertThatThrownBy(() -> open(site, token))
                    .as("spent")
                    .hasCauseInstanceOf(WebSocketHandshakeException.class);
            assertThat(site.origin.received()).hasSize(1);
        }
    }

    private WebSocket open(Site site, String token) {
        return HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .connectTimeout(Duration.ofSeconds(10))
                .header("Authorization", token)
                .buildAsync(URI.create("ws://127.0.0.1:" + site.port() + "/chat"), new RecordingListener())
                .join();
    }

    /** Accepts the upgrade, sends a welcome, and echoes each frame up to the close. */
    private static void echo(TestOrigin.Received request, Socket socket) throws IOException {
        String head = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Accept: " + accept(request.field("Sec-WebSocket-Key")) + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(ISO_8859_1));
        frame(socket, 1, "welcome".getBytes(UTF_8));
        InputStream in = socket.getInputStream();
        for (int first = in.read(); first >= 0; first = in.read()) {
            byte[] payload = new byte[in.read() & 0x7f];
            byte[] mask = in.readNBytes(4);
            for (int i = 0; i < payload.length; i++) {
                payload[i] = (byte) (in.read() ^ mask[i % 4]);
            }
            frame(socket, first & 0xf, payload);
        }
    }

    private static void frame(Socket socket, int kind, byte[] payload) throws IOException {
        byte[] frame = new byte[payload.length + 2];
        frame[0] = (byte) (0x80 | kind);
        frame[1] = (byte) payload.length;
        System.arraycopy(payload, 0, frame, 2, payload.length);
        socket.getOutputStream().write(frame);
        socket.getOutputStream().flush();
    }

    private static String accept(String key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest((key + MAGIC).getBytes(US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
