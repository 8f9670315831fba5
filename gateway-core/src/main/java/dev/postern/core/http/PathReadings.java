package dev.postern.core.http;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Path readings: derives from the path that an upstream gets the other paths that servers are known to read. Each step below is applied by
 * some servers and not by others, so all orders of the steps are tried until no step changes a path:
 *
 * <ul>
 *   <li>escapes of unreserved characters are decoded (RFC 3986 section 6.2.2.2)
 *   <li>empty segments are merged (nginx, Tomcat)
 *   <li>dot segments are resolved (RFC 3986 section 5.2.4), before or after empty segments are merged
 *   <li>the authority behind two slashes is removed, as of a reference by RFC 3986 section 4.2 (the server of the JDK) or a URL by WHATWG,
 *       which skips further slashes (applications on Node)
 *   <li>all escapes are decoded (nginx, WSGI, most frameworks); a second time by an application behind a server that has decoded them already
 *   <li>parameters are removed from each segment (servlet containers), before or after decoding
 *   <li>an encoded {@code ?}, {@code #} or NUL ends the path after decoding
 * </ul>
 *
 * <p>A reading keeps characters as escapes that a request target cannot contain. The digits of escapes are in upper case, since no server is
 * known to distinguish their case (RFC 3986 section 6.2.2.1). Not covered: letters of the other case, and dots and blanks at the end of a
 * name, which file systems may ignore.
 *
 * <p>The work is bounded by the number and the length of the readings: each of them is copied once by each step.
 */
public final class PathReadings {

    /** Maximum number of readings of a path, the path itself included. */
    static final int MAX_READINGS = 16;

    /** Maximum number of characters of all readings, without the path itself. */
    static final int MAX_LENGTH = 16 * 1024;

    private static final String[] ENDS = {"%00", "%23", "%3F"};

    private final Set<String> all = new LinkedHashSet<>();
    private final Deque<String> unread = new ArrayDeque<>();
    private int length;
    private long copied;
    private boolean valid = true;

    private PathReadings() {}

    /**
     * Returns the readings, the path itself first, with escapes in upper case; null when a reading leads above the root, or when there are
     * more than 16 readings, or more than 16 KiB beside the path itself.
     *
     * @param path a path that {@link PathRules#normalise} accepts, in this form or as the client spelt it
     */
    public static @Nullable Set<String> of(String path) {
        return derive(path).set();
    }

    /** Returns the readings together with the work that they took. */
    static PathReadings derive(String path) {
        PathReadings readings = new PathReadings();
        readings.all(PathRules.upperCase(path));
        return readings;
    }

    @Nullable
    Set<String> set() {
        return valid ? Collections.unmodifiableSet(all) : null;
    }

    /** Returns how many characters the steps have copied. */
    long copied() {
        return copied;
    }

    private void all(String path) {
        all.add(path);
        unread.add(path);
        while (valid && !unread.isEmpty()) {
            String reading = unread.remove();
            add(reading, PathRules.resolved(reading));
            add(reading, PathRules.merged(reading));
            add(reading, withoutAuthority(reading));
            add(reading, ended(reading));
            add(reading, withoutParameters(reading));
            add(reading, PathRules.decodedUnreserved(reading));
            add(reading, decoded(reading));
        }
    }

    /** Adds what a step made of a reading; a step returns the same object when it changes nothing. */
    @SuppressWarnings("ReferenceEquality")
    private void add(String reading, @Nullable String next) {
        if (next == reading || !valid) {
            return;
        }
        copied += reading.length();
        if (next == null) {
            valid = false; // above the root
        } else if (all.add(next)) {
            unread.add(next);
            length += next.length();
            valid = length <= MAX_LENGTH && all.size() <= MAX_READINGS;
        }
    }

    /** Decodes each escape once where a target can contain the character; a backslash becomes a slash, as on Windows. */
    private static String decoded(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        StringBuilder out = new StringBuilder(path.length());
        int start = 0;
        for (int i = path.indexOf('%'); i >= 0; i = path.indexOf('%', Math.max(start, i + 1))) {
            int value = PathRules.escape(path, i);
            if (value == '%' && hexDigits(path, i + 3)) {
                out.append(path, start, i)
                        .append('%')
                        .append(path.substring(i + 3, i + 5).toUpperCase(Locale.ROOT));
                start = i + 5;
            } else if (decodes(value)) {
                out.append(path, start, i).append(value == '\\' ? '/' : (char) value);
                start = i + 3;
            }
        }
        return start == 0 ? path : out.append(path, start, path.length()).toString();
    }

    private static boolean decodes(int value) {
        boolean plain = value >= 0 && HttpChars.path((byte) value) && value != '?' && value != '%';
        return plain || value == '\\';
    }

    private static boolean hexDigits(String path, int offset) {
        return offset + 1 < path.length()
                && HttpChars.hex(path.charAt(offset))
                && HttpChars.hex(path.charAt(offset + 1));
    }

    private static String withoutAuthority(String path) {
        if (!path.startsWith("//")) {
            return path;
        }
        int authority = 2;
        while (authority < path.length() && path.charAt(authority) == '/') {
            authority++;
        }
        int end = path.indexOf('/', authority);
        return end < 0 ? "/" : path.substring(end);
    }

    private static String withoutParameters(String path) {
        if (path.indexOf(';') < 0) {
            return path;
        }
        StringBuilder plain = new StringBuilder(path.length());
        int start = 0;
        for (int i = path.indexOf(';'); i >= 0; i = path.indexOf(';', start)) {
            plain.append(path, start, i);
            int slash = path.indexOf('/', i);
            start = slash < 0 ? path.length() : slash;
        }
        return plain.append(path, start, path.length()).toString();
    }

    private static String ended(String path) {
        int end = path.length();
        for (String one : ENDS) {
            int offset = path.indexOf(one);
            end = offset >= 0 && offset < end ? offset : end;
        }
        return path.substring(0, end); // the same object if nothing ends the path
    }
}
