package dev.postern.app.dashboard;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One expression of a panel or a rule, as a test asks it.
 *
 * @param place where it stands
 * @param text in PromQL
 */
record Query(String place, String text) {

    /** Or what stands between braces, which is left alone. */
    private static final Pattern COMPARISON = Pattern.compile("\\{[^}]*\\}|\\s(==|!=|<=|>=|<|>)\\s(?!bool\\b)");

    private static final Pattern SELECTOR = Pattern.compile(
            "\\b(?:postern|jvm|process|system|netty|cache|lettuce|resilience4j)_[a-z0-9_]+(?:\\{[^}]*\\})?|\\bup\\{[^}]*\\}");

    /** @param rate what a panel's rates look back */
    static Query ofPanel(String place, String expression, String rate) {
        return new Query(place, expression.replace("$__rate_interval", rate).replace("$instance", ".*"));
    }

    /**
     * An alert has a response only when it fires. So it is asked with {@code bool} behind each comparison: then it responds 0 or 1, and nothing
     * only where there is nothing to compare.
     */
    static Query ofAlert(String place, String expression) {
        Matcher found = COMPARISON.matcher(expression);
        String asked = found.replaceAll(match ->
                Matcher.quoteReplacement(match.group(1) == null ? match.group() : " " + match.group(1) + " bool "));
        return new Query(place, asked);
    }

    /** Each choice of series in it by itself: a sum, an {@code or} or an {@code and} hides that one of them finds none. */
    List<Query> parts() {
        return SELECTOR.matcher(text)
                .results()
                .map(MatchResult::group)
                .distinct()
                .map(selector -> new Query(place, "count(" + selector + ")"))
                .toList();
    }

    @Override
    public String toString() {
        return place + ": " + text;
    }
}
