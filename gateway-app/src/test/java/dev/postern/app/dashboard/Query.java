package dev.postern.app.dashboard;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Expression of a panel or a rule, as a test evaluates it.
 *
 * @param location of the expression
 * @param text in PromQL
 */
record Query(String location, String text) {

    /** Keeps text in braces unchanged. */
    private static final Pattern COMPARISON = Pattern.compile("\\{[^}]*\\}|\\s(==|!=|<=|>=|<|>)\\s(?!bool\\b)");

    private static final Pattern SELECTOR = Pattern.compile(
            "\\b(?:postern|jvm|process|system|netty|cache|lettuce|resilience4j)_[a-z0-9_]+(?:\\{[^}]*\\})?|\\bup\\{[^}]*\\}");

    /** @param rate range of the rates of a panel */
    static Query ofPanel(String location, String expression, String rate) {
        return new Query(location, expression.replace("$__rate_interval", rate).replace("$instance", ".*"));
    }

    /**
     * Returns the query of an alert, which only returns data when it fires. With {@code bool} after each comparison it returns 0 or 1, and
     * nothing only when there is no data to compare.
     */
    static Query ofAlert(String location, String expression) {
        Matcher found = COMPARISON.matcher(expression);
        String evaluated = found.replaceAll(match ->
                Matcher.quoteReplacement(match.group(1) == null ? match.group() : " " + match.group(1) + " bool "));
        return new Query(location, evaluated);
    }

    /** Returns each selector as its own query: a sum, an {@code or} or an {@code and} hides that one of them returns nothing. */
    List<Query> parts() {
        return SELECTOR.matcher(text)
                .results()
                .map(MatchResult::group)
                .distinct()
                .map(selector -> new Query(location, "count(" + selector + ")"))
                .toList();
    }

    @Override
    public String toString() {
        return location + ": " + text;
    }
}
