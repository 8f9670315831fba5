package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.testing.RawOrigin.Line;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Handshake of an origin of HTTP/1.1 that accepts a WebSocket (RFC 6455 section 4.2.2). */
public final class WebSocketHandshake {

    private static final Pattern KEY_FIELD = Pattern.compile("sec-websocket-key: (\\S+)\r\n");

    private WebSocketHandshake() {}

    /** Reads the head of the request and accepts it. */
    public static void agree(Line line) {
        agree(line, line.readHead());
    }

    /** Accepts the request with that head. */
    public static void agree(Line line, String head) {
        line.send(response(head));
    }

    /** Returns the response that accepts the request with that head. */
    public static String response(String head) {
        Matcher key = KEY_FIELD.matcher(head.toLowerCase(Locale.ROOT));
        assertThat(key.find()).isTrue();
        int offset = key.start(1);
        return "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 0\r\n"
                + "Sec-WebSocket-Accept: " + accept(head.substring(offset, key.end(1))) + "\r\n\r\n";
    }

    private static String accept(String key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1")
                    .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(ISO_8859_1));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
