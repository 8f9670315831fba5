package dev.postern.core.http;

import java.util.ArrayList;
import java.util.List;
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
        return hidesDots(decoded) ? null : resolve(decoded);
    }

    /** Returns whether a path equals a prefix or is below it, on segment boundaries. */
    public static boolean covers(String prefix, String path) {
        if (!path.startsWith(prefix)) {
            return false;
        }
        return prefix.endsWith("/") || path.length() == prefix.length() || path.charAt(prefix.length()) == '/';
    }

    /** Merges slashes and removes dot segments; returns null when they lead above the root. */
    static @Nullable String resolve(String path) {
        List<String> kept = new ArrayList<>();
        String[] segments = path.split("/", -1);
        for (int i = 1; i < segments.length; i++) {
            String segment = segments[i];
            boolean last = i == segments.length - 1;
            if (segment.equals("..")) {
                if (kept.isEmpty()) {
                    return null; // above the root
                }
                kept.remove(kept.size() - 1);
            }
            boolean dots = segment.equals(".") || segment.equals("..");
            if (dots || segment.isEmpty()) {
                if (last) {
                    kept.add("");
                }
            } else {
                kept.add(segment);
            }
        }
        return "/" + String.join("/", kept);
    }

    private static @Nullable String unescape(String path) {
        StringBuilder out = new StringBuilder(path.length());
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c != '%') {
                out.append(c);
                continue;
            }
            int value = escape(path, i);
            if (value < ' ' || value == 0x7f || value == '\\' || noUtf8(value, escape(path, i + 3))) {
                return null;
            }
            if (unreserved(value)) {
                out.append((char) value);
            } else {
                out.append('%').append(Character.toUpperCase(path.charAt(i + 1)));
                out.append(Character.toUpperCase(path.charAt(i + 2)));
            }
            i += 2;
        }
        return out.toString();
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

    private static boolean hidesDots(String path) {
        if (path.indexOf(';') < 0 && !path.contains("%3B") && !path.contains("%2F")) {
            return false;
        }
        for (String segment : path.split("/", -1)) {
            for (String part : segment.split("%2F", -1)) {
                String name = withoutParameters(part);
                if (name.length() < segment.length() && (name.equals("..") || name.equals("."))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String withoutParameters(String part) {
        int plain = part.indexOf(';');
        String name = plain < 0 ? part : part.substring(0, plain);
        int escaped = name.indexOf("%3B");
        return escaped < 0 ? name : name.substring(0, escaped);
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
