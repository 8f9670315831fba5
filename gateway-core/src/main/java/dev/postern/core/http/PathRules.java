package dev.postern.core.http;

import org.jspecify.annotations.Nullable;

/**
 * Path rules: normalises the spelling of a path (RFC 3986 section 6.2.2), so that routes match the path that the upstream serves:
 * unreserved characters decoded, other escapes in upper case, dot segments removed, runs of slashes merged. {@link PathReadings} derives
 * other readings of that form.
 *
 * <p>Refused are paths that no client needs: a broken escape, an encoded control character or backslash, bytes that never occur in UTF-8
 * (RFC 3629 section 3), such as the overlong form of a slash, and dot segments hidden behind an encoded slash or before parameters
 * ({@code /..;v=1/}), which some servers remove first.
 */
public final class PathRules {

    private PathRules() {}

    /** Returns the normal form, or null when the path is refused. */
    public static @Nullable String normalise(String path) {
        String decoded = unescape(path);
        if (decoded == null) {
            return null;
        }
        return hidesDots(decoded) ? null : resolved(merged(decoded));
    }

    /** Returns whether a path equals a prefix or is below it, on segment boundaries. */
    public static boolean covers(String prefix, String path) {
        if (!path.startsWith(prefix)) {
            return false;
        }
        return prefix.endsWith("/") || path.length() == prefix.length() || path.charAt(prefix.length()) == '/';
    }

    /** Merges runs of slashes; returns the same object without any. */
    static String merged(String path) {
        int run = path.indexOf("//");
        if (run < 0) {
            return path;
        }
        StringBuilder out = new StringBuilder(path.length());
        int start = 0;
        while (run >= 0) {
            out.append(path, start, run);
            start = run + 1;
            run = path.indexOf("//", start);
        }
        return out.append(path, start, path.length()).toString();
    }

    /**
     * Removes dot segments (RFC 3986 section 5.2.4), where an empty segment is a segment as any other; returns null when they lead above the
     * root, and the same object without any.
     */
    static @Nullable String resolved(String path) {
        if (!path.contains("/.")) {
            return path;
        }
        StringBuilder out = new StringBuilder(path.length());
        boolean changed = false;
        int end;
        for (int start = 0; start < path.length(); start = end) {
            int slash = path.indexOf('/', start + 1);
            end = slash < 0 ? path.length() : slash;
            boolean parent = end - start == 3 && path.startsWith("..", start + 1);
            if (parent && out.isEmpty()) {
                return null; // above the root
            }
            if (parent) {
                out.setLength(out.lastIndexOf("/"));
            }
            boolean dots = parent || end - start == 2 && path.charAt(start + 1) == '.';
            if (!dots) {
                out.append(path, start, end);
            } else if (end == path.length()) {
                out.append('/');
            }
            changed |= dots;
        }
        return changed ? out.toString() : path;
    }

    /** Decodes the escapes of unreserved characters; returns the same object without any. */
    static String decodedUnreserved(String path) {
        if (path.indexOf('%') < 0) {
            return path;
        }
        StringBuilder out = new StringBuilder(path.length());
        int start = 0;
        for (int i = path.indexOf('%'); i >= 0; i = path.indexOf('%', i + 1)) {
            int value = escape(path, i);
            if (value >= 0 && unreserved(value)) {
                out.append(path, start, i).append((char) value);
                start = i + 3;
            }
        }
        out.append(path, start, path.length());
        return out.length() == path.length() ? path : out.toString();
    }

    /** Writes the digits of escapes in upper case (RFC 3986 section 6.2.2.1). */
    static String upperCase(String path) {
        int first = path.indexOf('%');
        if (first < 0) {
            return path;
        }
        StringBuilder out = new StringBuilder(path);
        for (int i = first; i >= 0; i = path.indexOf('%', i + 1)) {
            if (escape(path, i) >= 0) {
                out.setCharAt(i + 1, Character.toUpperCase(path.charAt(i + 1)));
                out.setCharAt(i + 2, Character.toUpperCase(path.charAt(i + 2)));
            }
        }
        return out.toString();
    }

    /** Decodes unreserved characters and writes other escapes in upper case; null for an escape that is refused. */
    private static @Nullable String unescape(String path) {
        for (int i = path.indexOf('%'); i >= 0; i = path.indexOf('%', i + 1)) {
            int value = escape(path, i);
            if (value < ' ' || value == 0x7f || value == '\\' || noUtf8(value, escape(path, i + 3))) {
                return null;
            }
        }
        return decodedUnreserved(upperCase(path));
    }

    /** Returns the byte that the escape at that offset encodes, or -1 when there is no escape. */
    static int escape(String path, int offset) {
        boolean escape = offset + 2 < path.length()
                && path.charAt(offset) == '%'
                && HttpChars.hex(path.charAt(offset + 1))
                && HttpChars.hex(path.charAt(offset + 2));
        return escape ? Integer.parseInt(path, offset + 1, offset + 3, 16) : -1;
    }

    private static boolean noUtf8(int lead, int next) {
        return lead == 0xc0
                || lead == 0xc1
                || lead >= 0xf5
                || (lead == 0xe0 && next >= 0x80 && next < 0xa0)
                || (lead == 0xf0 && next >= 0x80 && next < 0x90);
    }

    /** Returns whether an encoded slash, or parameters, stand beside a dot segment. */
    private static boolean hidesDots(String path) {
        for (int i = path.indexOf('.'); i >= 0; i = path.indexOf('.', i + 1)) {
            boolean begins = path.charAt(i - 1) == '/';
            if (begins || path.startsWith("%2F", i - 3)) {
                int end = path.startsWith(".", i + 1) ? i + 2 : i + 1;
                boolean ends = end == path.length() || path.charAt(end) == '/';
                boolean more = path.startsWith(";", end) || path.startsWith("%2F", end) || path.startsWith("%3B", end);
                if (more || ends && !begins) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean unreserved(int c) {
        return (c >= '0' && c <= '9')
                || (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }
}
