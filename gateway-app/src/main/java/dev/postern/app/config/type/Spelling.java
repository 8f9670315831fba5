package dev.postern.app.config.type;

import dev.postern.core.http.Authority;
import dev.postern.core.http.HttpParseException;
import dev.postern.core.http.PathReadings;
import dev.postern.core.http.PathRules;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Brings hosts and paths of the configuration to the one spelling in which requests are matched. */
public final class Spelling {

    /** What a request target may hold before its query. */
    private static final Pattern PATH = Pattern.compile("/[!$-;=@-\\[\\]-~]*");

    private Spelling() {}

    /** {@code *}, {@code *.suffix} or a host in its one spelling; the text itself when it is none of them. */
    public static String host(String text) {
        return Objects.requireNonNullElse(normalHost(text), text);
    }

    /** Whether that is {@code *}, {@code *.suffix} or a host, in its one spelling. */
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

    /** A prefix of paths in its normal form, without a slash at its end; the text itself when it is none. */
    public static String path(String text) {
        return Objects.requireNonNullElse(normalPath(text), text);
    }

    /** Whether that is a prefix of paths in its normal form, of which every server takes the same paths for those below it. */
    public static boolean isPath(String text) {
        return text.equals(normalPath(text)) && List.of().equals(PathReadings.others(text));
    }

    private static @Nullable String normalPath(String text) {
        String normal = PATH.matcher(text).matches() ? PathRules.normalise(text) : null;
        boolean cut = normal != null && normal.length() > 1 && normal.endsWith("/");
        return normal != null && cut ? normal.substring(0, normal.length() - 1) : normal;
    }
}
