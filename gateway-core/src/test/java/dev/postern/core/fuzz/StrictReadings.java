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

/** Computes the paths that servers may take a path for, by repeated replacement and independently of the gateway's code. */
public final class StrictReadings {

    private static final int MAX_CHARACTERS = 64 * 1024;
    private static final Pattern ESCAPE = Pattern.compile("%25([0-9A-Fa-f]{2})|%([0-9A-Fa-f]{2})");

    private static final List<UnaryOperator<String>> STEPS = List.of(
            path -> ESCAPE.matcher(path).replaceAll(escape -> Matcher.quoteReplacement(decoded(escape))),
            path -> path.replaceAll(";[^/]*", ""),
            path -> path.replaceAll("%(00|23|3F).*", ""));

    private StrictReadings() {}

    /** Returns the readings, the path itself first; null when one of them leads above the root, or when there are too many. */
    public static @Nullable Set<String> of(String normal) {
        Set<String> all = new LinkedHashSet<>(List.of(normal));
        for (int previousSize = 0; previousSize < all.size(); ) {
            previousSize = all.size();
            for (String path : new ArrayList<>(all)) {
                for (UnaryOperator<String> step : STEPS) {
                    @Nullable
                    String next = StrictPath.withoutDots(step.apply(path).replaceAll("/{2,}", "/"));
                    if (next == null) {
                        return null;
                    }
                    all.add(next);
                }
                if (all.stream().mapToInt(String::length).sum() > MAX_CHARACTERS) {
                    return null;
                }
            }
        }
        return all;
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
