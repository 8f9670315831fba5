package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/**
 * How keys and commands look on the wire: {@code NAMESPACE:1:} and the 16 bytes of the key in base64url, 22 characters.
 *
 * <p>The number is the version of this format; neighbouring releases that run side by side must agree on it. Immutable, thread-safe.
 */
final class KeyText {

    /** Bytes of the mark that tells our attempt from all others. */
    static final int MARK_LENGTH = 16;

    private static final int LONGEST_NAMESPACE = 100;
    private static final int KEY_CHARACTERS = 22;
    private static final long MONTH = 30L * 24 * 60 * 60;

    /** memcached's second hand may be one behind, and so may its idea of now. */
    private static final long MARGIN = 2;

    private static final byte[] ADD = ascii("add ");
    private static final byte[] LENGTH = ascii(" " + MARK_LENGTH + "\r\n");
    private static final byte[] FLAGS = ascii(" 0 ");
    private static final byte[] END = ascii("\r\n");
    /** Expired for certain: above 30 days it is a time of day, this one in January 1970. Negative numbers would do but for routers, which hang up. */
    private static final int LONG_AGO = 30 * 24 * 60 * 60 + 1;

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

    private final byte[] prefix;

    KeyText(String namespace) {
        boolean visible = namespace.chars().allMatch(c -> c > ' ' && c < 127);
        if (!visible || namespace.isEmpty() || namespace.length() > LONGEST_NAMESPACE) {
            throw new IllegalArgumentException("namespace: " + namespace + " (expected: 1 to " + LONGEST_NAMESPACE
                    + " visible ASCII characters without spaces)");
        }
        prefix = ascii(namespace + ":1:");
    }

    /** The key as the server knows it. */
    byte[] of(byte[] key) {
        byte[] encoded = ENCODER.encode(key);
        byte[] text = new byte[prefix.length + encoded.length];
        System.arraycopy(prefix, 0, text, 0, prefix.length);
        System.arraycopy(encoded, 0, text, prefix.length, encoded.length);
        return text;
    }

    /** The key of the server's own mark; a token's key is longer. */
    byte[] epoch() {
        return own("epoch");
    }

    /** The key of the note of all servers' marks. */
    byte[] register() {
        return own("marks");
    }

    private byte[] own(String name) {
        byte[] text = Arrays.copyOf(prefix, prefix.length + name.length());
        System.arraycopy(ascii(name), 0, text, prefix.length, name.length());
        return text;
    }

    /** The one command of a spend. */
    ByteBuffer add(byte[] text, Instant acceptedUntil, Instant now, byte[] mark) {
        ByteBuffer bytes = ByteBuffer.allocate(prefix.length + KEY_CHARACTERS + 11 + 48);
        bytes.put(ADD).put(text).put(FLAGS);
        number(bytes, expiry(acceptedUntil, now));
        bytes.put(LENGTH).put(mark).put(END);
        return bytes.flip();
    }

    /** An {@code add} without expiry. */
    static ByteBuffer addForever(byte[] text, byte[] value) {
        return store("add", text, 0, "", value);
    }

    /** A {@code set} without expiry. */
    static ByteBuffer set(byte[] text, byte[] value) {
        return store("set", text, 0, "", value);
    }

    static ByteBuffer gets(byte[] text) {
        ByteBuffer bytes = ByteBuffer.allocate(text.length + 7);
        return bytes.put(ascii("gets ")).put(text).put(END).flip();
    }

    /** Replaces a value that nobody changed since, without expiry. */
    static ByteBuffer replace(byte[] text, byte[] value, long cas) {
        return store("cas", text, 0, " " + Long.toUnsignedString(cas), value);
    }

    /** Makes a value that nobody changed since expire at once. */
    static ByteBuffer expire(byte[] text, long cas) {
        return store("cas", text, LONG_AGO, " " + Long.toUnsignedString(cas), new byte[0]);
    }

    private static ByteBuffer store(String verb, byte[] text, int exptime, String suffix, byte[] value) {
        byte[] head = ascii(verb + " ");
        byte[] tail = ascii(" 0 " + exptime + " " + value.length + suffix + "\r\n");
        ByteBuffer bytes = ByteBuffer.allocate(head.length + text.length + tail.length + value.length + 2);
        return bytes.put(head).put(text).put(tail).put(value).put(END).flip();
    }

    /**
     * Seconds until then; a time of day when that is more than 30 days off, since memcached takes larger numbers for one; 0, which is never,
     * when that is beyond its 31 bits.
     */
    static long expiry(Instant until, Instant now) {
        long seconds = until.getEpochSecond() - now.getEpochSecond() + MARGIN;
        if (seconds <= MONTH) {
            return Math.max(seconds, 1);
        }
        long absolute = until.getEpochSecond() + MARGIN;
        return absolute <= Integer.MAX_VALUE ? absolute : 0;
    }

    private static void number(ByteBuffer bytes, long value) {
        long divisor = 1;
        while (value / divisor >= 10) {
            divisor *= 10;
        }
        for (; divisor > 0; divisor /= 10) {
            bytes.put((byte) ('0' + value / divisor % 10));
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }
}
