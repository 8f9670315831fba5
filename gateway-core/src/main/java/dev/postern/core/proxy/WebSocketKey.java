package dev.postern.core.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Key with which WebSocket over HTTP/1.1 verifies that the server supports the protocol (RFC 6455 sections 1.3 and 4.1). HTTP/2 has no key
 * (RFC 8441 section 5): between the two versions the gateway generates and checks the key in place of the HTTP/2 side. A plain rule.
 */
final class WebSocketKey {

    static final FieldName KEY = FieldName.of("sec-websocket-key");
    static final FieldName ACCEPT = FieldName.of("sec-websocket-accept");

    private static final String WEBSOCKET = "websocket";
    private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int BYTES = 16;

    private WebSocketKey() {}

    /** Adds a key to the request of an HTTP/2 client, which sends none. */
    static void ask(RequestHead request) {
        if (ofStream(request)) {
            byte[] key = new byte[BYTES];
            ThreadLocalRandom.current().nextBytes(key); // a nonce, not a secret
            request.set(KEY, Base64.getEncoder().encodeToString(key));
        }
    }

    /** Returns whether the upstream's response fits the key, where the gateway generated it. */
    static boolean proven(RequestHead request, ResponseHead response) {
        if (!ofStream(request)) {
            return true;
        }
        return accept(String.valueOf(request.value(KEY))).equals(response.value(ACCEPT));
    }

    /** Sets or removes the accept field, as the client's protocol requires. */
    static void response(RequestHead request, ResponseHead head) {
        if (ofStream(request)) {
            head.remove(ACCEPT);
        } else if (websocket(request) && head.majorVersion() > 1 && request.has(KEY)) {
            head.set(ACCEPT, accept(String.valueOf(request.value(KEY))));
        }
    }

    private static boolean ofStream(RequestHead request) {
        return request.majorVersion() > 1 && websocket(request);
    }

    private static boolean websocket(RequestHead request) {
        return request.upgrade().equalsIgnoreCase(WEBSOCKET);
    }

    static String accept(String key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest((key + MAGIC).getBytes(ISO_8859_1));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
