package dev.postern.auth.token;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * TokenChallenge structure: {@code type(2) | len16 issuer name | len8 redemption context | len16 origin info} (RFC 9577 section 2.1.1).
 *
 * @param tokenType its encoded value; may be unknown
 * @param issuerName {@code host[:port]} in ASCII, 1 to 65535 bytes
 * @param redemptionContext 0 or 32 bytes, not copied
 * @param originInfo names joined by commas without blanks; empty for a token that is valid for any origin
 */
public record TokenChallenge(int tokenType, String issuerName, byte[] redemptionContext, String originInfo) {

    public static final int CONTEXT_LENGTH = 32;

    public TokenChallenge {
        if (issuerName.isEmpty() || issuerName.length() > 0xffff) {
            throw new IllegalArgumentException("issuer-name: " + issuerName.length() + " bytes (expected: 1 to 65535)");
        }
        if (redemptionContext.length != 0 && redemptionContext.length != CONTEXT_LENGTH) {
            throw new IllegalArgumentException(
                    "redemption-context: " + redemptionContext.length + " bytes (expected: 0 or 32)");
        }
        if (originInfo.length() > 0xffff) {
            throw new IllegalArgumentException("origin-info: " + originInfo.length() + " bytes (expected: 0 to 65535)");
        }
    }

    public byte[] encode() {
        byte[] issuer = issuerName.getBytes(US_ASCII);
        byte[] origins = originInfo.getBytes(US_ASCII);
        ByteBuffer out = ByteBuffer.allocate(2 + 2 + issuer.length + 1 + redemptionContext.length + 2 + origins.length);
        out.putShort((short) tokenType);
        out.putShort((short) issuer.length).put(issuer);
        out.put((byte) redemptionContext.length).put(redemptionContext);
        out.putShort((short) origins.length).put(origins);
        return out.array();
    }

    /** Returns the challenge in these bytes, or null when they are not exactly one challenge with names in visible ASCII. */
    public static @Nullable TokenChallenge decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length < 2) {
            return null;
        }
        int type = in.getShort() & 0xffff;
        String issuer = name(in);
        byte[] context = in.hasRemaining() ? take(in, in.get() & 0xff) : null;
        String origins = name(in);
        if (issuer == null || issuer.isEmpty() || context == null || origins == null || in.hasRemaining()) {
            return null;
        }
        return context.length == 0 || context.length == CONTEXT_LENGTH
                ? new TokenChallenge(type, issuer, context, origins)
                : null;
    }

    /** Returns the SHA-256 of the encoded challenge, which a token contains. */
    public Bytes32 digest() {
        return sha256(encode());
    }

    /** Returns the origins of the challenge, in order; none when the challenge is valid for any origin. */
    public List<String> origins() {
        return originInfo.isEmpty() ? List.of() : List.of(originInfo.split(",", -1));
    }

    /** Returns whether the challenge is valid for that origin (section 2.1.1: names compare without regard to case). */
    public boolean names(String origin) {
        return originInfo.isEmpty() || origins().stream().anyMatch(origin::equalsIgnoreCase);
    }

    /** Returns the SHA-256 of the bytes. */
    public static Bytes32 sha256(byte[] bytes) {
        try {
            return Bytes32.at(MessageDigest.getInstance("SHA-256").digest(bytes), 0);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing, which every Java platform must have", e);
        }
    }

    private static @Nullable String name(ByteBuffer in) {
        byte[] bytes = in.remaining() < 2 ? null : take(in, in.getShort() & 0xffff);
        if (bytes == null) {
            return null;
        }
        for (byte b : bytes) {
            if (b <= ' ' || b == 0x7f) {
                return null;
            }
        }
        return new String(bytes, US_ASCII);
    }

    private static byte @Nullable [] take(ByteBuffer in, int length) {
        if (in.remaining() < length) {
            return null;
        }
        byte[] part = new byte[length];
        in.get(part);
        return part;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TokenChallenge that
                && tokenType == that.tokenType
                && issuerName.equals(that.issuerName)
                && originInfo.equals(that.originInfo)
                && Arrays.equals(redemptionContext, that.redemptionContext);
    }

    @Override
    public int hashCode() {
        return Objects.hash(tokenType, issuerName, originInfo, Arrays.hashCode(redemptionContext));
    }
}
