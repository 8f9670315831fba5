package dev.postern.core.fuzz;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Normalizes a path by the algorithm of RFC 3986 sections 5.2.4 and 6.2.2, independently of the gateway's parser. */
public final class StrictPath {

    private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");
    private static final Pattern BROKEN = Pattern.compile("%(?![0-9A-Fa-f]{2})");
    private static final Pattern REFUSED = Pattern.compile("%([01][0-9A-F]|7F|5C)");

    /** Bytes that RFC 3629 section 4 does not allow at the start of a character. */
    private static final Pattern OVERLONG = Pattern.compile("%(C[01]|F[5-9A-F]|E0%[89]|F0%8)");

    /** Dot segments that appear only when an upstream decodes twice, or drops what follows a semicolon. */
    private static final Pattern HIDDEN = Pattern.compile("(^|/|%2F)\\.\\.?(%2F|;|%3B)|%2F\\.\\.?(/|%2F|;|%3B|$)");

    private StrictPath() {}

    /** Returns null when servers are known to read the path differently, or when it leads above the root. */
    public static @Nullable String of(String path) {
        if (BROKEN.matcher(path).find()) {
            return null;
        }
        String decoded = ESCAPE.matcher(path).replaceAll(escape -> Matcher.quoteReplacement(decoded(escape.group(1))));
        if (REFUSED.matcher(decoded).find()
                || OVERLONG.matcher(decoded).find()
                || HIDDEN.matcher(decoded).find()) {
            return null;
        }
        return withoutDots(decoded.replaceAll("/{2,}", "/"));
    }

    private static String decoded(String digits) {
        char c = (char) Integer.parseInt(digits, 16);
        return String.valueOf(c).matches("[A-Za-z0-9._~-]")
                ? String.valueOf(c)
                : "%" + digits.toUpperCase(java.util.Locale.ROOT);
    }

    /** Removes dot segments by section 5.2.4; null when one leads above the root. */
    static @Nullable String withoutDots(String path) {
        String input = path;
        StringBuilder out = new StringBuilder();
        while (!input.isEmpty()) {
            if (input.startsWith("/./") || input.equals("/.")) {
                input = "/" + input.substring(Math.min(3, input.length()));
            } else if (input.startsWith("/../") || input.equals("/..")) {
                input = "/" + input.substring(Math.min(4, input.length()));
                if (out.isEmpty()) {
                    return null;
                }
                out.setLength(out.lastIndexOf("/"));
            } else {
                int end = input.indexOf('/', 1);
                out.append(input, 0, end < 0 ? input.length() : end);
                input = end < 0 ? "" : input.substring(end);
            }
        }
        return out.toString();
    }
}
