package dev.postern.auth.token;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Base64url with padding (RFC 4648 section 5), strict: one text for each value. Foreign characters, blanks, missing or surplus padding and
 * nonzero trailing bits are all rejected, since each would be a second encoding of the same token.
 */
public final class Base64Url {

    private static final byte[] VALUES = values();

    private Base64Url() {}

    /** Encodes the bytes, with padding. */
    public static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().encodeToString(bytes);
    }

    /** Decodes the text; null when it is invalid. */
    public static byte @Nullable [] decode(String text) {
        byte[] ascii = text.getBytes(ISO_8859_1);
        return decode(ascii, 0, ascii.length);
    }

    /** Decodes {@code text[start, end)}; null when it is invalid. */
    public static byte @Nullable [] decode(byte[] text, int start, int end) {
        int length = end - start;
        if (length % 4 != 0) {
            return null;
        }
        int padding = padding(text, start, end);
        byte[] bytes = new byte[length / 4 * 3 - padding];
        int offset = 0;
        int bad = 0;
        int quads = padding == 0 ? end : end - 4;
        for (int i = start; i < quads; i += 4) {
            int w = VALUES[text[i] & 0xff];
            int x = VALUES[text[i + 1] & 0xff];
            int y = VALUES[text[i + 2] & 0xff];
            int z = VALUES[text[i + 3] & 0xff];
            bad |= w | x | y | z;
            bytes[offset++] = (byte) (w << 2 | x >> 4);
            bytes[offset++] = (byte) (x << 4 | y >> 2);
            bytes[offset++] = (byte) (y << 6 | z);
        }
        return bad >= 0 && (padding == 0 || decodeLast(text, quads, bytes, offset)) ? bytes : null;
    }

    private static int padding(byte[] text, int start, int end) {
        if (end == start || text[end - 1] != '=') {
            return 0;
        }
        return text[end - 2] == '=' ? 2 : 1;
    }

    /**
     * Decodes the last four characters, of which one or two are padding. Returns whether they are the canonical encoding of their bytes.
     */
    private static boolean decodeLast(byte[] text, int from, byte[] bytes, int offset) {
        int w = VALUES[text[from] & 0xff];
        int x = VALUES[text[from + 1] & 0xff];
        if ((w | x) < 0) {
            return false;
        }
        bytes[offset] = (byte) (w << 2 | x >> 4);
        if (text[from + 2] == '=') {
            return (x & 0xf) == 0;
        }
        int y = VALUES[text[from + 2] & 0xff];
        if (y < 0) {
            return false;
        }
        bytes[offset + 1] = (byte) (x << 4 | y >> 2);
        return (y & 3) == 0;
    }

    private static byte[] values() {
        byte[] values = new byte[256];
        Arrays.fill(values, (byte) -1);
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        for (int i = 0; i < alphabet.length(); i++) {
            values[alphabet.charAt(i)] = (byte) i;
        }
        return values;
    }
}
