package dev.postern.app.config.type;

import dev.postern.core.http.Authority;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.PathReadings;
import dev.postern.core.http.PathRules;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Spelling of hosts and paths: converts them to the normal form in which requests are matched. */
public final class Spelling {

    /** Characters that a request target may contain before its query. */
    private static final Pattern PATH = Pattern.compile("/[!$-;=@-\\[\\]-~]*");

    private Spelling() {}

    /** Returns {@code *}, {@code *.suffix} or a host in its normal form; the text itself if it is none of them. */
    public static String host(String text) {
        return Objects.requireNonNullElse(normalHost(text), text);
    }

    /** Returns whether the text is {@code *}, {@code *.suffix} or a host, in its normal form. */
    public static boolean isHost(String text) {
        return text.equals(normalHost(text));
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

    /** Returns a path prefix in its normal form, without a trailing slash; the text itself if it is not a path prefix. */
    public static String path(String text) {
        return Objects.requireNonNullElse(normalPath(text), text);
    }

    /** Returns whether the text is a path prefix in its normal form, so that all servers agree on the paths below it. */
    public static boolean isPath(String text) {
        return text.equals(normalPath(text)) && List.of().equals(PathReadings.others(text));
    }

    private static @Nullable String normalPath(String text) {
        String normal = PATH.matcher(text).matches() ? PathRules.normalise(text) : null;
        boolean cut = normal != null && normal.length() > 1 && normal.endsWith("/");
        return normal != null && cut ? normal.substring(0, normal.length() - 1) : normal;
    }
}
