package dev.postern.core.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rewrite pattern of another program: a rewrite with parameters, globs or references that a regular expression of the gateway does not have,
 * such as {@code /old/* -> /new/*}, or without the arrow, such as {@code ^/old/(.*)$ /new/$1} of nginx.
 */
final class RewritePattern {

    private static final String ARROW = " -> ";
    private static final Pattern OTHER_ARROW = Pattern.compile(
            "(\\S+?)\\s*(?:\\s|=>|->|\u2192)\\s*([/$]\\S*?)(?:\\s+(?:break|last|redirect|permanent))?;?");

    /** A regular expression: an anchor, a group, a class, an escape, or a quantifier that a glob does not have. */
    private static final Pattern REGEX = Pattern.compile(".*([\\^$(\\[\\\\|+]|\\.\\*).*");

    private static final Pattern GLOB = Pattern.compile("\\*+|\\{[A-Za-z_]\\w*\\}|(?<=/):[A-Za-z_]\\w*");
    private static final Pattern REFERENCE = Pattern.compile("\\\\(\\d)|\\$\\{(\\d)\\}");

    private RewritePattern() {}

    static @Nullable ForeignPattern find(String text, String path) {
        int arrow = text.indexOf(ARROW);
        if (arrow < 0) {
            Matcher other = OTHER_ARROW.matcher(text.strip());
            return other.matches() ? problem(meant(other.group(1), other.group(2))) : path(text, path);
        }
        String pattern = text.substring(0, arrow).trim();
        String target = text.substring(arrow + ARROW.length()).trim();
        String meant = meant(pattern, target);
        return meant.equals(pattern + ARROW + target) ? null : problem(meant);
    }

    /** Judges a rewrite that is a path: a reference in it has no group to refer to. */
    private static @Nullable ForeignPattern path(String text, String path) {
        if (!text.startsWith("/")) {
            return null;
        }
        if (text.matches("(?s).*\\$\\d.*")) {
            String route = path.equals("/") ? "" : path.replace(".", "\\.");
            return problem("^" + route + "/(.*)$" + ARROW + text);
        }
        ForeignPattern found = PathPattern.find(text);
        if (found == null) {
            return null;
        }
        String words = found.text().replace("a path is a prefix", "a rewrite without an arrow is a path");
        return new ForeignPattern(found.severity(), words);
    }

    private static ForeignPattern problem(String meant) {
        return ForeignPattern.problem("a path, or a regular expression with an arrow; write " + meant);
    }

    private static String meant(String pattern, String target) {
        String to = REFERENCE
                .matcher(target)
                .replaceAll(found -> "\\$" + (found.group(1) == null ? found.group(2) : found.group(1)));
        boolean glob =
                !REGEX.matcher(pattern).matches() && GLOB.matcher(pattern).find();
        if (!glob && !GLOB.matcher(to).find()) {
            return pattern + ARROW + to;
        }
        String from = glob
                ? "^"
                        + GLOB.matcher(pattern.replace(".", "\\."))
                                .replaceAll(found -> found.group().startsWith("*") ? "(.*)" : "([^/]+)")
                        + "$"
                : pattern;
        int[] group = {0};
        return from + ARROW + GLOB.matcher(to).replaceAll(found -> "\\$" + ++group[0]);
    }
}
