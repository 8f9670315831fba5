package dev.postern.core.route.transform;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ExchangeKey;
import dev.postern.core.http.PathReadings;
import dev.postern.core.http.PathRules;
import java.util.Set;
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

    /** Steps for each character of the readings of a path, in addition to {@link #STEPS_OF_READINGS}; at most {@link #MAX_STEPS} in all. */
    private static final int STEPS_PER_CHARACTER = 64;

    private static final int STEPS_OF_READINGS = 1000;

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
     * Target of a rewrite.
     *
     * @param path the new path in its normal form
     * @param readings of the new path
     */
    private record Target(String path, Set<String> readings) {

        private static final ExchangeKey<Target> KEY = ExchangeKey.of("rewrite target");
    }

    /** Returns the new path of a request as {@link #apply(String)} does, which is computed once for an exchange. */
    public @Nullable String apply(Exchange exchange) {
        @Nullable Target target = exchange.get(Target.KEY);
        return target == null ? apply(exchange.request().path()) : target.path();
    }

    /**
     * Returns the new path in its normal form; the same path when the pattern does not match; null when the match fails, or when the result
     * is a path that the gateway refuses in a request: no normal form, too many readings, or a reading that leads above the root.
     */
    public @Nullable String apply(String path) {
        @Nullable Target target = target(path);
        return target == null ? null : target.path();
    }

    private @Nullable Target target(String path) {
        @Nullable String to = normal(path, new Steps(MAX_STEPS));
        @Nullable Set<String> readings = to == null ? null : PathReadings.of(to);
        return to == null || readings == null ? null : new Target(to, readings);
    }

    /**
     * Returns whether every other reading of the new path is what the same reading of the old path is rewritten to, so that no reading
     * escapes the rule: a pattern may capture an encoded slash as one segment, but must not match with it and without it differently. True
     * where {@link #apply} fails, since nothing is forwarded then; false where the match of the readings takes too many steps.
     *
     * @param others the readings beside the path itself
     */
    boolean agrees(Exchange exchange, Set<String> others) {
        @Nullable Target target = target(exchange.request().path());
        if (target == null) {
            return true;
        }
        exchange.put(Target.KEY, target);
        return agrees(target, others);
    }

    /** Returns the same for a path without an exchange. */
    boolean agrees(String path, Set<String> others) {
        @Nullable Target target = target(path);
        return target == null || agrees(target, others);
    }

    private boolean agrees(Target target, Set<String> others) {
        Steps steps = new Steps(allowed(others));
        for (String other : others) {
            @Nullable String to = normal(other, steps);
            if (to == null || !target.readings().contains(to)) {
                return false;
            }
        }
        return true;
    }

    /** Returns how many steps the match of all these readings may take together. */
    static int allowed(Set<String> readings) {
        int characters = readings.stream().mapToInt(String::length).sum();
        return Math.min(MAX_STEPS, STEPS_OF_READINGS + STEPS_PER_CHARACTER * characters);
    }

    private @Nullable String normal(String path, Steps steps) {
        @Nullable String target = pattern == null ? replaced(path) : matched(pattern, path, steps);
        return target == null || !target.startsWith("/") ? null : PathRules.normalise(target);
    }

    private String replaced(String path) {
        String rest = path.substring(prefix.length());
        boolean missing = target.isEmpty() && !rest.startsWith("/");
        return missing ? "/" + rest : target + rest;
    }

    @SuppressWarnings("CatchingStackOverflow") // no state was changed yet, and java.util.regex recurses over long paths
    private @Nullable String matched(Pattern by, String path, Steps steps) {
        if (path.length() > LONGEST_PATH) {
            return null;
        }
        try {
            Matcher matcher = by.matcher(new Stepped(path, steps));
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
        private final Steps steps;

        private Stepped(String path, Steps steps) {
            this.path = path;
            this.steps = steps;
        }

        @Override
        public int length() {
            return path.length();
        }

        @Override
        public char charAt(int index) {
            steps.take();
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

    /** Steps that remain for one or more matches. */
    private static final class Steps {

        private int remaining;

        private Steps(int allowed) {
            remaining = allowed;
        }

        private void take() {
            if (--remaining < 0) {
                throw new TooManySteps();
            }
        }
    }

    private static final class TooManySteps extends RuntimeException {

        private static final long serialVersionUID = 1;

        private TooManySteps() {
            super(null, null, false, false);
        }
    }
}
