package dev.postern.auth.token;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Token type and the lengths of a token's parts (RFC 9577 section 2.2.1, registry of RFC 9578 section 8.2).
 *
 * @param value the encoded value, two bytes
 * @param label for meters and log
 * @param keyIdLength bytes of a token key id
 * @param authenticatorLength bytes of the authenticator
 */
public record TokenType(int value, String label, int keyIdLength, int authenticatorLength) {

    /** Bytes before the authenticator that don't depend on the type: type, nonce, challenge digest. */
    static final int FIXED_LENGTH = 2 + 32 + 32;

    /** Blind RSA with 2048 bits, publicly verifiable (RFC 9578 section 6). */
    public static final TokenType BLIND_RSA = new TokenType(0x0002, "blind-rsa", 32, 256);

    /** Values reserved for GREASE, so that clients do not rely on the absence of unknown types (RFC 9577 section 4.1). */
    private static final List<Integer> RESERVED = List.of(
            0x0000, 0x02AA, 0x1132, 0x2E96, 0x3CD3, 0x4473, 0x5A63, 0x6D32, 0x7F3F, 0x8D07, 0x916B, 0xA6A4, 0xBEAB,
            0xC3F3, 0xDA42, 0xE944, 0xF057);

    private static final Set<Integer> GREASE = Set.copyOf(RESERVED);

    /** Returns the type with that value, or null when the table of {@link TokenScheme} does not contain it. */
    public static @Nullable TokenType of(int value) {
        return TokenScheme.type(value);
    }

    /** Returns the values that are reserved for GREASE. */
    public static List<Integer> reserved() {
        return RESERVED;
    }

    public static boolean isGrease(int value) {
        return GREASE.contains(value);
    }

    /** Returns the length of a whole token in bytes: 354 for type 2. */
    public int tokenLength() {
        return signedLength() + authenticatorLength;
    }

    /** Returns the length of the part that the authenticator covers, in bytes: 98 for type 2. */
    public int signedLength() {
        return FIXED_LENGTH + keyIdLength;
    }
}
