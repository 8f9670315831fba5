package dev.postern.auth.issue;

import dev.postern.auth.token.TokenScheme;
import dev.postern.auth.token.TokenType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Token request of a client to an issuer: {@code type(2) | last byte of the key id(1) | blinded message} (RFC 9578 sections 5.1 and 6.1).
 *
 * @param keyIdEnd the truncated token key id
 * @param blinded 256 bytes for type 2, 49 for type 1; not copied
 */
public record TokenRequest(TokenType type, byte keyIdEnd, byte[] blinded) {

    static final String MEDIA_TYPE = "application/private-token-request";
    static final String RESPONSE_MEDIA_TYPE = "application/private-token-response";

    /** Largest request of any type, in bytes. */
    static final int MAX_BYTES = 4096;

    private static final int HEAD = 3;

    public byte[] encode() {
        byte[] bytes = new byte[HEAD + blinded.length];
        bytes[0] = (byte) (type.value() >> 8);
        bytes[1] = (byte) type.value();
        bytes[2] = keyIdEnd;
        System.arraycopy(blinded, 0, bytes, HEAD, blinded.length);
        return bytes;
    }

    /** Returns the request in these bytes, or null when they are not exactly one request of a known type. */
    public static @Nullable TokenRequest decode(byte[] bytes) {
        TokenType type = bytes.length < HEAD ? null : TokenType.of((bytes[0] & 0xff) << 8 | bytes[1] & 0xff);
        if (type == null
                || bytes.length != HEAD + TokenScheme.of(type, Issuance.class).blindedLength()) {
            return null;
        }
        return new TokenRequest(type, bytes[2], Arrays.copyOfRange(bytes, HEAD, bytes.length));
    }
}
