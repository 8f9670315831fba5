package dev.postern.core.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Set of field names that are compared by their letters and digits only. Servers that pass fields on as variables (CGI: RFC 3875 section
 * 4.1.18, FastCGI, WSGI, PHP) make {@code HTTP_X_REAL_IP} of {@code X-Real-IP}, of {@code X_Real_IP} and in some servers of
 * {@code X.Real.IP} too.
 *
 * <p>A look-up allocates nothing. Length, first and last letter or digit rule out most names. Immutable.
 */
public final class LookAlikeNames {

    private static final int SLOTS = 256;
    private static final int LETTERS = 32;
    private static final int LETTER = LETTERS - 1;
    private static final String PREFIX = "*";
    private static final byte[] FREE = {};

    private final byte[][] table = new byte[SLOTS][];
    private final List<byte[]> prefixes = new ArrayList<>(1);
    /** Whether some name in the set begins with one letter and ends with another. */
    private final boolean[] ends = new boolean[LETTERS * LETTERS];

    private int shortest = Integer.MAX_VALUE;

    private LookAlikeNames(List<String> names) {
        Arrays.fill(table, FREE);
        names.forEach(this::add);
    }

    /** @param names in any spelling; a name that ends with a star matches all names with that prefix */
    public static LookAlikeNames of(List<String> names) {
        return new LookAlikeNames(names);
    }

    private void add(String name) {
        byte[] letters =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "").getBytes(US_ASCII);
        int first = letters[0] & LETTER;
        shortest = Math.min(shortest, letters.length);
        if (name.endsWith(PREFIX)) {
            prefixes.add(letters);
            Arrays.fill(ends, first * LETTERS, (first + 1) * LETTERS, true);
            return;
        }
        ends[first * LETTERS + (letters[letters.length - 1] & LETTER)] = true;
        int slot = slot(hash(letters, 0, letters.length));
        while (table[slot].length > 0) {
            slot = slot(slot + 1);
        }
        table[slot] = letters;
    }

    public boolean contains(String name) {
        byte[] bytes = name.getBytes(US_ASCII);
        return contains(bytes, 0, bytes.length);
    }

    /** Returns whether the bytes of a name, at least one byte, spell a name of the set. */
    boolean contains(byte[] bytes, int start, int length) {
        int first = start;
        int end = start + length;
        while (end - first >= shortest && lowerCase(bytes[first]) == 0) {
            first++;
        }
        while (end - first >= shortest && lowerCase(bytes[end - 1]) == 0) {
            end--;
        }
        return end - first >= shortest
                && ends[(bytes[first] & LETTER) * LETTERS + (bytes[end - 1] & LETTER)]
                && find(bytes, first, end);
    }

    private boolean find(byte[] bytes, int start, int end) {
        for (int i = 0; i < prefixes.size(); i++) {
            if (matches(prefixes.get(i), bytes, start, end, false)) {
                return true;
            }
        }
        int slot = slot(hash(bytes, start, end));
        for (byte[] one = table[slot]; one.length > 0; one = table[slot]) {
            if (matches(one, bytes, start, end, true)) {
                return true;
            }
            slot = slot(slot + 1);
        }
        return false;
    }

    /** Returns whether the letters and digits of the bytes equal {@code letters}, or begin with them if not {@code whole}. */
    private static boolean matches(byte[] letters, byte[] bytes, int start, int end, boolean whole) {
        int found = 0;
        for (int i = start; i < end; i++) {
            byte b = lowerCase(bytes[i]);
            if (b == 0) {
                continue;
            }
            if (found == letters.length) {
                return !whole;
            }
            if (b != letters[found++]) {
                return false;
            }
        }
        return found == letters.length;
    }

    private static int hash(byte[] bytes, int start, int end) {
        int hash = 0;
        for (int i = start; i < end; i++) {
            byte b = lowerCase(bytes[i]);
            hash = b == 0 ? hash : 31 * hash + b;
        }
        return hash;
    }

    /** Returns a letter in lower case, a digit unchanged, 0 for any other byte. */
    private static byte lowerCase(byte b) {
        byte lower = (byte) (b | 0x20);
        if (lower >= 'a' && lower <= 'z') {
            return lower;
        }
        return b >= '0' && b <= '9' ? b : 0;
    }

    private static int slot(int hash) {
        return (hash ^ hash >>> 16) & SLOTS - 1;
    }
}
