package dev.postern.app.config;

import dev.postern.core.config.Checks;
import dev.postern.core.config.Key;
import dev.postern.core.headers.ClientClaims;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.route.RouteConditions;
import dev.postern.core.route.transform.HeaderModifications;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Conditions of a route on requests, beside its host and path; all must hold. */
public record MatchConfig(
        @Key(
                defaultValue = "[]",
                example = "[GET, POST]",
                description = "Methods of which a request has one; `GET` includes `HEAD`. Empty: any.")
        List<String> methods,

        @Key(
                defaultValue = "{}",
                description = "Header fields and their values, in this case and as a whole; `\"*\"`: any value.")
        Map<String, String> headers,

        @Key(defaultValue = "{}", description = "Parameters of the query and their values, likewise, decoded.")
        Map<String, String> query,

        @Key(defaultValue = "{}", description = "Cookies and their values, likewise.")
        Map<String, String> cookies) {

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}";

    public MatchConfig {
        methods = List.copyOf(methods);
        headers = Map.copyOf(headers);
        query = Map.copyOf(query);
        cookies = Map.copyOf(cookies);
        Checks checks = Checks.of()
                .each(
                        "methods",
                        methods,
                        MatchConfig::isMethod,
                        "a method such as GET, in upper case, but CONNECT or TRACE");
        headers.forEach((name, value) -> checks.that(
                        isField(name),
                        "headers." + name,
                        name,
                        "a field that clients may send, and none of framing, routing or single connections; for Cookie use"
                                + " cookies")
                .that(isStripped(value), "headers." + name, value, "a value without blanks around"));
        query.forEach((name, value) -> checks.that(!name.isEmpty(), "query", name, "the name of a parameter"));
        cookies.forEach(
                (name, value) -> checks.that(name.matches(TOKEN), "cookies." + name, name, "the name of a cookie")
                        .that(isStripped(value), "cookies." + name, value, "a value without blanks around"));
        checks.done();
    }

    private static boolean isMethod(String method) {
        return method.matches("[A-Z][A-Z0-9-]{0,31}")
                && !List.of("CONNECT", "TRACE").contains(method);
    }

    /** Fields of client claims are not what the upstream gets: they are withheld, except those of trusted proxies. */
    private static boolean isField(String name) {
        return HeaderModifications.touchable(name) && !ClientClaims.contains(name) && !name.equalsIgnoreCase("cookie");
    }

    private static boolean isStripped(String value) {
        return value.equals(value.strip());
    }

    /** Returns the conditions; null for none. */
    public @Nullable RouteConditions conditions() {
        if (methods.isEmpty() && headers.isEmpty() && query.isEmpty() && cookies.isEmpty()) {
            return null;
        }
        List<RouteConditions.Header> fields = new ArrayList<>();
        new TreeMap<>(headers)
                .forEach((name, value) -> fields.add(new RouteConditions.Header(FieldName.of(name), value)));
        return new RouteConditions(
                methods.stream().sorted().distinct().map(Method::of).toList(), fields, pairs(query), pairs(cookies));
    }

    private static List<RouteConditions.Pair> pairs(Map<String, String> values) {
        List<RouteConditions.Pair> pairs = new ArrayList<>();
        new TreeMap<>(values).forEach((name, value) -> pairs.add(new RouteConditions.Pair(name, value)));
        return pairs;
    }

    /** Returns whether each request that fulfils the other conditions fulfils these too. */
    public boolean covers(MatchConfig other) {
        return (methods.isEmpty() || !other.methods.isEmpty() && methods.containsAll(other.methods))
                && covers(headers, other.headers)
                && covers(query, other.query)
                && covers(cookies, other.cookies);
    }

    private static boolean covers(Map<String, String> wide, Map<String, String> narrow) {
        return wide.entrySet().stream().allMatch(condition -> {
            String value = narrow.get(condition.getKey());
            return value != null
                    && (condition.getValue().equals("*") || condition.getValue().equals(value));
        });
    }

    /** Returns the conditions in short, in one order, for the name of the route; empty for none. */
    @Override
    public String toString() {
        List<String> words = new ArrayList<>();
        if (!methods.isEmpty()) {
            words.add(String.join("|", methods.stream().sorted().distinct().toList()));
        }
        new TreeMap<>(headers).forEach((name, value) -> words.add(name.toLowerCase(Locale.ROOT) + ":" + value));
        new TreeMap<>(query).forEach((name, value) -> words.add("?" + name + "=" + value));
        new TreeMap<>(cookies).forEach((name, value) -> words.add("cookie " + name + "=" + value));
        return words.isEmpty() ? "" : " [" + String.join(", ", words) + "]";
    }
}
