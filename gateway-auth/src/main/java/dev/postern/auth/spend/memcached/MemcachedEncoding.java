package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.Redemption;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How keys and commands look on the wire: {@code NAMESPACE:1:} and the 16 bytes of the key in base64url, 22 characters.
 *
 * <p>The number is the version of this format; neighbouring releases that run side by side must agree on it. Immutable, thread-safe.
 */
final class MemcachedEncoding {

    /** Bytes of the mark that tells our attempt from all others: random ones of its link, and its number there. */
    static final int MARK_LENGTH = 16;

    private static final int RANDOM_LENGTH = MARK_LENGTH - Integer.BYTES;

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

    private static final byte[] DIGITS = ascii("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

    private final byte[] prefix;
    private final byte[] getsMark;
    private final InstantSource clock;

    MemcachedEncoding(String namespace, InstantSource clock) {
        this.clock = clock;
        boolean visible = namespace.chars().allMatch(c -> c > ' ' && c < 127);
        if (!visible || namespace.isEmpty() || namespace.length() > LONGEST_NAMESPACE) {
            throw new IllegalArgumentException("namespace: " + namespace + " (expected: 1 to " + LONGEST_NAMESPACE
                    + " visible ASCII characters without spaces)");
        }
        prefix = ascii(namespace + ":1:");
        getsMark = gets(epoch()).array();
    }

    /** The key as the server knows it. */
    byte[] of(byte[] key) {
        ByteBuffer text = ByteBuffer.allocate(prefix.length + KEY_CHARACTERS).put(prefix);
        key(text, key);
        return text.array();
    }

    /** Base64url of 16 bytes, by hand: the library's makes an array each time. */
    private static void key(ByteBuffer into, byte[] key) {
        int offset = 0;
        for (; offset + 3 <= key.length; offset += 3) {
            int bits = (key[offset] & 0xff) << 16 | (key[offset + 1] & 0xff) << 8 | key[offset + 2] & 0xff;
            into.put(DIGITS[bits >> 18])
                    .put(DIGITS[bits >> 12 & 63])
                    .put(DIGITS[bits >> 6 & 63])
                    .put(DIGITS[bits & 63]);
        }
        into.put(DIGITS[(key[offset] & 0xff) >> 2]).put(DIGITS[(key[offset] & 3) << 4]);
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

    /** The random part of a mark. */
    static byte[] newMark() {
        byte[] random = new byte[RANDOM_LENGTH];
        ThreadLocalRandom.current().nextBytes(random);
        return random;
    }

    /** The mark of an attempt: what its {@code add} stores. */
    static byte[] mark(PendingAdd pendingAdd) {
        return ByteBuffer.allocate(MARK_LENGTH)
                .put(pendingAdd.server().mark())
                .putInt(pendingAdd.number())
                .array();
    }

    /** The commands of these spends, and the {@code gets} of the server's mark behind them. */
    ByteBuffer spends(List<PendingAdd> attempts) {
        byte[] mark = getsMark();
        ByteBuffer bytes = ByteBuffer.allocate(attempts.size() * longestAdd() + mark.length);
        for (PendingAdd pendingAdd : attempts) {
            add(bytes, pendingAdd.redemption(), pendingAdd.server().mark(), pendingAdd.number());
        }
        return bytes.put(mark).flip();
    }

    /** The {@code gets} of the server's own mark; not to be changed. */
    byte[] getsMark() {
        return getsMark;
    }

    /** Bytes of an {@code add} at most. */
    int longestAdd() {
        return prefix.length + KEY_CHARACTERS + 11 + 48;
    }

    /** Writes the one command of a spend into a buffer of at least {@link #longestAdd} bytes. */
    void add(ByteBuffer into, Redemption redemption, byte[] random, int number) {
        into.put(ADD).put(prefix);
        key(into, redemption.key());
        into.put(FLAGS);
        number(into, expiry(redemption.acceptedUntil(), clock.millis() / 1000));
        into.put(LENGTH).put(random).putInt(number).put(END);
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
    static long expiry(Instant end, long nowSeconds) {
        long seconds = end.getEpochSecond() - nowSeconds + MARGIN;
        if (seconds <= MONTH) {
            return Math.max(seconds, 1);
        }
        long absolute = end.getEpochSecond() + MARGIN;
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
