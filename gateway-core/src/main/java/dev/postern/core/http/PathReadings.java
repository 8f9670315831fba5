package dev.postern.core.http;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Path readings: derives from the normal form of a path the other paths that servers are known to read. Each step below is applied by some
 * servers and not by others, so all orders of the steps are tried until no step changes the path; slashes are merged and dot segments
 * removed after each step:
 *
 * <ul>
 *   <li>escapes are decoded (nginx, WSGI, most frameworks); a second time by an application behind a server that has decoded them already
 *   <li>parameters are removed from each segment (servlet containers), before or after decoding
 *   <li>an encoded {@code ?}, {@code #} or NUL ends the path after decoding
 * </ul>
 *
 * <p>A reading keeps characters as escapes that a request target cannot contain. Not covered: letters of the other case, and dots and
 * blanks at the end of a name, which file systems may ignore.
 */
public final class PathReadings {

    /**
     * Limit for the characters of all readings of a path, which bounds the work: 64 readings of a path of 1 KiB, 4 of the longest default
     * path.
     */
    private static final int MAX_LENGTH = 64 * 1024;

    private static final List<String> ENDS = List.of("%00", "%23", "%3F");

    private PathReadings() {}

    /**
     * Returns the readings other than the path itself, usually none; null when a reading leads above the root, or when the limit is
     * exceeded.
     *
     * @param path in its normal form
     */
    public static @Nullable List<String> others(String path) {
        if (path.indexOf('%') < 0 && path.indexOf(';') < 0) {
            return List.of();
        }
        Set<String> readings = new LinkedHashSet<>();
        readings.add(path);
        Deque<String> unread = new ArrayDeque<>(readings);
        int length = path.length();
        while (!unread.isEmpty()) {
            String reading = unread.remove();
            for (String step : List.of(decoded(reading), withoutParameters(reading), ended(reading))) {
                @Nullable String next = step.equals(reading) ? reading : PathRules.resolve(step);
                if (next == null) {
                    return null;
                }
                if (readings.add(next)) {
                    unread.add(next);
                    length += next.length();
                    if (length > MAX_LENGTH) {
                        return null;
                    }
                }
            }
        }
        readings.remove(path);
        return List.copyOf(readings);
    }

    /** Decodes each escape once where a target can contain the character; a backslash becomes a slash, as on Windows. */
    private static String decoded(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        StringBuilder out = new StringBuilder(path.length());
        int i = 0;
        while (i < path.length()) {
            int value = PathRules.escape(path, i);
            if (value == '%' && hexDigits(path, i + 3)) {
                out.append('%').append(path.substring(i + 3, i + 5).toUpperCase(Locale.ROOT));
                i += 5;
            } else if (value >= 0) {
                boolean plain = HttpChars.target((byte) value) && value != '?' && value != '%';
                String text = plain ? Character.toString(value) : path.substring(i, i + 3);
                out.append(value == '\\' ? "/" : text);
                i += 3;
            } else {
                out.append(path.charAt(i++));
            }
        }
        return out.toString();
    }

    private static boolean hexDigits(String path, int offset) {
        return offset + 1 < path.length()
                && HttpChars.hex(path.charAt(offset))
                && HttpChars.hex(path.charAt(offset + 1));
    }

    private static String withoutParameters(String path) {
        if (path.indexOf(';') < 0) {
            return path;
        }
        StringBuilder plain = new StringBuilder(path.length());
        boolean inside = false;
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == ';' || c == '/') {
                inside = c == ';';
            }
            if (!inside) {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    private static String ended(String path) {
        int end = path.length();
        for (String one : ENDS) {
            int offset = path.indexOf(one);
            end = offset >= 0 && offset < end ? offset : end;
        }
        return path.substring(0, end);
    }
}
