package dev.postern.core.fuzz;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Computes the paths that servers may take a path for, in the client's spelling or in its normal form, by repeated replacement and
 * independently of the gateway's code.
 */
public final class StrictReadings {

    private static final int MAX_CHARACTERS = 16 * 1024;
    private static final int MAX_PATHS = 16;
    private static final Pattern ESCAPE = Pattern.compile("%25([0-9A-Fa-f]{2})|%([0-9A-Fa-f]{2})");
    private static final Pattern ONE_ESCAPE = Pattern.compile("%[0-9A-Fa-f]{2}");
    private static final Pattern UNRESERVED =
            Pattern.compile("%(2[DE]|3[0-9]|4[1-9A-F]|5[0-9A]|5F|6[1-9A-F]|7[0-9A]|7E)");

    private static final List<UnaryOperator<String>> STEPS = List.of(
            path -> ESCAPE.matcher(path).replaceAll(escape -> Matcher.quoteReplacement(decoded(escape))),
            path -> UNRESERVED.matcher(path).replaceAll(escape -> String.valueOf(character(escape.group(1)))),
            path -> path.replaceAll("/{2,}", "/"),
            path -> path.replaceAll("^/{2,}[^/]*$", "/").replaceAll("^/{2,}[^/]+/", "/"),
            path -> path.replaceAll(";[^/]*", ""),
            path -> path.replaceAll("%(00|23|3F).*", ""));

    private StrictReadings() {}

    /** Returns the readings, the path itself first; null when one of them leads above the root, or when there are too many. */
    public static @Nullable Set<String> of(String spelling) {
        String path =
                ONE_ESCAPE.matcher(spelling).replaceAll(escape -> escape.group().toUpperCase(Locale.ROOT));
        Set<String> all = new LinkedHashSet<>(List.of(path));
        for (int previousSize = 0; previousSize < all.size(); ) {
            previousSize = all.size();
            for (String one : new ArrayList<>(all)) {
                STEPS.forEach(step -> all.add(step.apply(one)));
                @Nullable String resolved = StrictPath.withoutDots(one);
                if (resolved == null) {
                    return null;
                }
                all.add(resolved);
                int characters = all.stream().mapToInt(String::length).sum() - path.length();
                if (all.size() > MAX_PATHS || characters > MAX_CHARACTERS) {
                    return null;
                }
            }
        }
        return all;
    }

    private static char character(String digits) {
        return (char) Integer.parseInt(digits, 16);
    }

    private static String decoded(MatchResult escape) {
        if (escape.group(1) != null) {
            return "%" + escape.group(1).toUpperCase(Locale.ROOT);
        }
        char c = (char) Integer.parseInt(escape.group(2), 16);
        if (c == '\\') {
            return "/";
        }
        return c > ' ' && c < 0x7f && "\"#%<>?".indexOf(c) < 0 ? String.valueOf(c) : escape.group();
    }
}
