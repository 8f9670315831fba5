package dev.postern.core.route.transform;

import dev.postern.core.http.PathReadings;
import dev.postern.core.http.PathRules;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Rewrite of the path for the upstream: {@code /new} in place of the route's own path, or {@code PATTERN -> TO}, where the pattern has to
 * cover the whole path and {@code $1} to {@code $9} are its groups. The query stays.
 *
 * <p>The operator writes the patterns, but clients choose the paths: a match that takes more than a fixed number of steps fails. Immutable.
 */
public final class Rewrite {

    private static final String ARROW = " -> ";
    private static final int LONGEST_PATH = 4096;
    private static final int MAX_STEPS = 100_000;

    /** Maximum number of readings of one path that a pattern matches, since each may take as many steps as the path itself. */
    private static final int MAX_READINGS = 8;

    private final String prefix;
    private final String target;
    private final @Nullable Pattern pattern;

    private Rewrite(String prefix, String target, @Nullable Pattern pattern) {
        this.prefix = prefix;
        this.target = target;
        this.pattern = pattern;
    }

    /**
     * Parses a rewrite; throws {@link IllegalArgumentException} with value and expectation.
     *
     * @param route the path of the route
     */
    public static Rewrite of(String text, String route) {
        int arrow = text.indexOf(ARROW);
        if (arrow < 0) {
            if (!text.matches("/[!$%&'()*+,./:;=@A-Z_a-z0-9~-]*")) {
                throw new IllegalArgumentException(text + " (expected: a path such as /new, or PATTERN -> /new/$1)");
            }
            Rewrite rewrite = new Rewrite(bare(route), bare(text), null);
            if (rewrite.apply(route) == null) {
                throw new IllegalArgumentException(text
                        + " (expected: a path that a request may have: no broken escape, no encoded backslash or control"
                        + " character, no reading above the root)");
            }
            return rewrite;
        }
        String target = text.substring(arrow + ARROW.length()).trim();
        Pattern pattern = pattern(text, text.substring(0, arrow).trim());
        int groups = pattern.matcher("").groupCount();
        if (!target.matches("[/$]([!$%&'()*+,./:;=@A-Z_a-z0-9~-])*")) {
            throw new IllegalArgumentException(text + " (expected: behind the arrow a path such as /new/$1)");
        }
        for (int i = target.indexOf('$'); i >= 0; i = target.indexOf('$', i + 1)) {
            int group = i + 1 < target.length() ? Character.digit(target.charAt(i + 1), 10) : -1;
            if (group < 0 || group > groups) {
                throw new IllegalArgumentException(
                        text + " (expected: behind $ the number of a group, 0.." + groups + ")");
            }
        }
        return new Rewrite("", target, pattern);
    }

    private static Pattern pattern(String text, String pattern) {
        try {
            return Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    text + " (expected: before the arrow a regular expression: " + e.getDescription() + ")", e);
        }
    }

    private static String bare(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /**
     * Returns the new path in its normal form; the same path when the pattern does not match; null when the match fails, or when the result
     * is a path that the gateway refuses in a request: no normal form, or a reading that leads above the root.
     */
    public @Nullable String apply(String path) {
        @Nullable String target = normal(path);
        return target == null || PathReadings.others(target) == null ? null : target;
    }

    /**
     * Returns whether every other reading of the new path is what the same reading of the old path is rewritten to, so that no reading
     * escapes the rule: a pattern may capture an encoded slash as one segment, but must not match with it and without it differently. True
     * where {@link #apply} fails, since nothing is forwarded then; false where there are too many readings.
     *
     * @param others the readings beside the path itself
     */
    public boolean agrees(String path, List<String> others) {
        if (pattern != null && others.size() > MAX_READINGS) {
            return false;
        }
        @Nullable String target = normal(path);
        @Nullable List<String> readings = target == null ? null : PathReadings.others(target);
        if (target == null || readings == null) {
            return true;
        }
        for (String other : others) {
            @Nullable String otherTo = normal(other);
            if (otherTo == null || !(otherTo.equals(target) || readings.contains(otherTo))) {
                return false;
            }
        }
        return true;
    }

    private @Nullable String normal(String path) {
        @Nullable String target = pattern == null ? replaced(path) : matched(pattern, path);
        return target == null || !target.startsWith("/") ? null : PathRules.normalise(target);
    }

    private String replaced(String path) {
        String rest = path.substring(prefix.length());
        boolean missing = target.isEmpty() && !rest.startsWith("/");
        return missing ? "/" + rest : target + rest;
    }

    @SuppressWarnings("CatchingStackOverflow") // no state was changed yet, and java.util.regex recurses over long paths
    private @Nullable String matched(Pattern by, String path) {
        if (path.length() > LONGEST_PATH) {
            return null;
        }
        try {
            Matcher matcher = by.matcher(new Stepped(path));
            if (!matcher.matches()) {
                return path;
            }
            StringBuilder out = new StringBuilder();
            matcher.appendReplacement(out, target);
            return out.toString();
        } catch (TooManySteps | StackOverflowError e) {
            return null;
        }
    }

    /** Counts the characters that a pattern reads, so that no pattern can block an event loop. */
    private static final class Stepped implements CharSequence {

        private final String path;
        private int remaining = MAX_STEPS;

        private Stepped(String path) {
            this.path = path;
        }

        @Override
        public int length() {
            return path.length();
        }

        @Override
        public char charAt(int index) {
            if (--remaining < 0) {
                throw new TooManySteps();
            }
            return path.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return path.substring(start, end);
        }

        @Override
        public String toString() {
            return path;
        }
    }

    private static final class TooManySteps extends RuntimeException {

        private static final long serialVersionUID = 1;

        private TooManySteps() {
            super(null, null, false, false);
        }
    }
}
