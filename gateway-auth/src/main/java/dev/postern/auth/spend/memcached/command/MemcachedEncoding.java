package dev.postern.auth.spend.memcached.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.Redemption;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Encoding of keys and commands. A key is {@code NAMESPACE:1:} and the 16 bytes of the token's key in base64url, 22 characters.
 *
 * <p>The number is the version of this format; releases that run side by side must use the same version. Immutable, thread-safe.
 */
public final class MemcachedEncoding {

    /** Length of the value that identifies an {@code add}: random bytes of the server handle, and the number of the add. */
    static final int VALUE_LENGTH = 16;

    private static final int PREFIX_LENGTH = VALUE_LENGTH - Integer.BYTES;

    private static final int LONGEST_NAMESPACE = 100;
    private static final int KEY_CHARACTERS = 22;
    private static final long MONTH = 30L * 24 * 60 * 60;

    /** Seconds added to an expiry: memcached counts whole seconds, and its clock may be behind. */
    private static final long MARGIN = 2;

    private static final byte[] ADD = ascii("add ");
    private static final byte[] LENGTH = ascii(" " + VALUE_LENGTH + "\r\n");
    private static final byte[] FLAGS = ascii(" 0 ");
    private static final byte[] END = ascii("\r\n");
    /** Expiry in the past: above 30 days a number is a Unix time. Not negative, since routers close the connection then. */
    private static final int LONG_AGO = 30 * 24 * 60 * 60 + 1;

    private static final byte[] DIGITS = ascii("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

    private final byte[] prefix;
    private final byte[] getsMarker;
    private final InstantSource clock;

    public MemcachedEncoding(String namespace, InstantSource clock) {
        this.clock = clock;
        boolean visible = namespace.chars().allMatch(c -> c > ' ' && c < 127);
        if (!visible || namespace.isEmpty() || namespace.length() > LONGEST_NAMESPACE) {
            throw new IllegalArgumentException("namespace: " + namespace + " (expected: 1 to " + LONGEST_NAMESPACE
                    + " visible ASCII characters without spaces)");
        }
        prefix = ascii(namespace + ":1:");
        getsMarker = gets(epoch()).array();
    }

    /** Returns the full key at the server. */
    public byte[] of(byte[] key) {
        ByteBuffer text = ByteBuffer.allocate(prefix.length + KEY_CHARACTERS).put(prefix);
        key(text, key);
        return text.array();
    }

    /** Encodes 16 bytes in base64url. Not by the JDK, whose encoder allocates an array each time. */
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

    /** Returns the key of the server's epoch marker; a token's key is longer. */
    public byte[] epoch() {
        return own("epoch");
    }

    /** Returns the key of the list of all servers' epoch markers. */
    public byte[] register() {
        return own("marks");
    }

    private byte[] own(String name) {
        byte[] text = Arrays.copyOf(prefix, prefix.length + name.length());
        System.arraycopy(ascii(name), 0, text, prefix.length, name.length());
        return text;
    }

    /** Returns a new random part of the values that identify adds. */
    public static byte[] newValuePrefix() {
        byte[] random = new byte[PREFIX_LENGTH];
        ThreadLocalRandom.current().nextBytes(random);
        return random;
    }

    /** Returns the value that an {@code add} with this random part and number stores. */
    public static byte[] value(byte[] random, int number) {
        return ByteBuffer.allocate(VALUE_LENGTH).put(random).putInt(number).array();
    }

    /** Returns the {@code gets} of the server's epoch marker. The caller must not change the array. */
    public byte[] getsMarker() {
        return getsMarker;
    }

    /** Returns the maximum length of an {@code add} in bytes. */
    public int longestAdd() {
        return prefix.length + KEY_CHARACTERS + 11 + 48;
    }

    /** Writes the {@code add} of a spend into a buffer with at least {@link #longestAdd} bytes. */
    public void add(ByteBuffer into, Redemption redemption, byte[] random, int number) {
        into.put(ADD).put(prefix);
        key(into, redemption.key());
        into.put(FLAGS);
        number(into, expiry(redemption.acceptedUntil(), clock.millis() / 1000));
        into.put(LENGTH).put(random).putInt(number).put(END);
    }

    /** Returns an {@code add} without expiry. */
    public static ByteBuffer addForever(byte[] text, byte[] value) {
        return store("add", text, 0, "", value);
    }

    /** Returns a {@code set} without expiry. */
    public static ByteBuffer set(byte[] text, byte[] value) {
        return store("set", text, 0, "", value);
    }

    public static ByteBuffer gets(byte[] text) {
        ByteBuffer bytes = ByteBuffer.allocate(text.length + 7);
        return bytes.put(ascii("gets ")).put(text).put(END).flip();
    }

    /** Returns a {@code cas} without expiry, which replaces a value that has not changed since. */
    public static ByteBuffer replace(byte[] text, byte[] value, long cas) {
        return store("cas", text, 0, " " + Long.toUnsignedString(cas), value);
    }

    /** Returns a {@code cas} that expires a value at once if the value has not changed since. */
    public static ByteBuffer expire(byte[] text, long cas) {
        return store("cas", text, LONG_AGO, " " + Long.toUnsignedString(cas), new byte[0]);
    }

    private static ByteBuffer store(String verb, byte[] text, int exptime, String suffix, byte[] value) {
        byte[] head = ascii(verb + " ");
        byte[] tail = ascii(" 0 " + exptime + " " + value.length + suffix + "\r\n");
        ByteBuffer bytes = ByteBuffer.allocate(head.length + text.length + tail.length + value.length + 2);
        return bytes.put(head).put(text).put(tail).put(value).put(END).flip();
    }

    /**
     * Returns the exptime of a command: seconds until the end; or a Unix time if the end is more than 30 days away, since memcached reads
     * larger numbers as such; or 0, which means never, if the Unix time exceeds 31 bits.
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
