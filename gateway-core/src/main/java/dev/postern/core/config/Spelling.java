package dev.postern.core.config;

import dev.postern.core.http.Authority;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.PathReadings;
import dev.postern.core.http.PathRules;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Spelling of hosts and paths: normalizes them to the form in which requests are matched. */
public final class Spelling {

    private static final String HOST_EXPECTED = "name, *.suffix or *, without a port";

    private static final String PATH_EXPECTED =
            "a path that starts with / and that all servers read alike: without a query, without ; and without escapes of"
                    + " / ; ? # and of what needs none";

    /** Permitted characters of a request target before its query. */
    private static final Pattern PATH = Pattern.compile("/[!$-;=@-\\[\\]-~]*");

    private Spelling() {}

    /** Normalizes {@code *}, {@code *.suffix} or a host; returns any other text unchanged. */
    public static String host(String text) {
        return Objects.requireNonNullElse(normalHost(text), text);
    }

    /** Returns whether the text is {@code *}, {@code *.suffix} or a host, in normal form, and no pattern of another program. */
    public static boolean isHost(String text) {
        return isName(text) && !ForeignPattern.isProblem(ForeignPattern.ofHost(text));
    }

    /** Returns whether the text is {@code *}, {@code *.suffix} or a host, in normal form. */
    static boolean isName(String text) {
        return text.equals(normalHost(text));
    }

    /** Returns the expected form of a host, for a text that is none. */
    public static String hostExpected(String text) {
        @Nullable ForeignPattern found = ForeignPattern.ofHost(text);
        return found == null ? HOST_EXPECTED : found.text();
    }

    private static @Nullable String normalHost(String text) {
        if (text.equals("*")) {
            return text;
        }
        boolean suffix = text.startsWith("*.");
        try {
            String host = Authority.parse(suffix ? text.substring(2) : text, false);
            boolean bare = Authority.port(host) < 0 && !(suffix && host.startsWith("["));
            return bare ? (suffix ? "*." : "") + host : null;
        } catch (HttpParseException notAHost) {
            return null;
        }
    }

    /** Normalizes a path prefix and removes its final slash; returns any other text unchanged. */
    public static String path(String text) {
        return Objects.requireNonNullElse(normalPath(text), text);
    }

    /** Returns whether the text is a path prefix in normal form with a single reading, and no pattern of another program. */
    public static boolean isPath(String text) {
        return text.equals(normalPath(text))
                && Set.of(text).equals(PathReadings.of(text))
                && !ForeignPattern.isProblem(ForeignPattern.ofPath(text));
    }

    /** Returns the expected form of a path prefix, for a text that is none. */
    public static String pathExpected(String text) {
        @Nullable ForeignPattern found = ForeignPattern.ofPath(text);
        return ForeignPattern.isProblem(found) && found != null ? found.text() : PATH_EXPECTED;
    }

    private static @Nullable String normalPath(String text) {
        String normal = PATH.matcher(text).matches() ? PathRules.normalise(text) : null;
        boolean cut = normal != null && normal.length() > 1 && normal.endsWith("/");
        return normal != null && cut ? normal.substring(0, normal.length() - 1) : normal;
    }
}
