package dev.postern.core.syntax;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes one spelling of a path out of many (RFC 3986 section 6.2.2), so that what is matched is what the upstream serves: unreserved
 * characters decoded, other escapes in upper case, dot segments removed, runs of slashes merged.
 *
 * <p>Refused is what upstreams are known to read differently: a broken escape, an encoded control character or backslash, and dot segments
 * hidden behind an encoded slash or before parameters ({@code /..;v=1/}), which some servers drop first.
 */
public final class PathRules {

    private PathRules() {}

    /** The normal form, or null when the path is refused. */
    public static @Nullable String normalise(String path) {
        String decoded = unescape(path);
        if (decoded == null) {
            return null;
        }
        List<String> kept = new ArrayList<>();
        String[] segments = decoded.split("/", -1);
        for (int i = 1; i < segments.length; i++) {
            String segment = segments[i];
            boolean last = i == segments.length - 1;
            if (hidesDots(segment)) {
                return null;
            }
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
            if (i + 2 >= path.length()
                    || !Chars.hex((byte) path.charAt(i + 1))
                    || !Chars.hex((byte) path.charAt(i + 2))) {
                return null;
            }
            int value = Integer.parseInt(path, i + 1, i + 3, 16);
            if (value < ' ' || value == 0x7f || value == '\\') {
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

    private static boolean hidesDots(String segment) {
        if (segment.indexOf('%') < 0 && segment.indexOf(';') < 0) {
            return false;
        }
        for (String part : segment.split("%2F", -1)) {
            String name = withoutParameters(part);
            if (name.length() < segment.length() && (name.equals("..") || name.equals("."))) {
                return true;
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
