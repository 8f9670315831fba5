package dev.postern.auth.issue;

import dev.postern.auth.key.RsaKey;
import dev.postern.auth.token.TokenType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a client sends to an issuer: {@code type(2) | last byte of the key id(1) | blinded message(256)} (RFC 9578 section 6.1).
 *
 * @param keyIdEnd the truncated token key id
 * @param blinded 256 bytes, not copied
 */
record TokenRequest(byte keyIdEnd, byte[] blinded) {

    static final String MEDIA_TYPE = "application/private-token-request";
    static final String RESPONSE_MEDIA_TYPE = "application/private-token-response";

    /** Bytes of a whole request. */
    static final int LENGTH = 2 + 1 + RsaKey.LENGTH;

    byte[] encode() {
        byte[] bytes = new byte[LENGTH];
        bytes[0] = (byte) (TokenType.BLIND_RSA.value() >> 8);
        bytes[1] = (byte) TokenType.BLIND_RSA.value();
        bytes[2] = keyIdEnd;
        System.arraycopy(blinded, 0, bytes, 3, RsaKey.LENGTH);
        return bytes;
    }

    /** The request in these bytes, or null when they are not exactly one of type 2. */
    static @Nullable TokenRequest decode(byte[] bytes) {
        boolean typed =
                bytes.length == LENGTH && ((bytes[0] & 0xff) << 8 | bytes[1] & 0xff) == TokenType.BLIND_RSA.value();
        return typed ? new TokenRequest(bytes[2], Arrays.copyOfRange(bytes, 3, LENGTH)) : null;
    }
}
