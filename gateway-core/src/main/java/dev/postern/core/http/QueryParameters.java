package dev.postern.core.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Parameters of a query, decoded, as servers read {@code application/x-www-form-urlencoded} (URL Standard section 5.1): {@code &} between
 * them, {@code +} for a space. An incomplete escape stands for itself. Immutable.
 */
public final class QueryParameters {

    private final Map<String, List<String>> values = new HashMap<>();

    private QueryParameters() {}

    /** @param query with its {@code ?}, or an empty text */
    static QueryParameters of(String query) {
        QueryParameters parameters = new QueryParameters();
        if (query.length() > 1) {
            for (String pair : query.substring(1).split("&")) {
                parameters.add(pair);
            }
        }
        return parameters;
    }

    private void add(String pair) {
        int equals = pair.indexOf('=');
        String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
        String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
        values.computeIfAbsent(name, key -> new ArrayList<>(1)).add(value);
    }

    /** Returns the values of a parameter in their order; none when it is absent. */
    public List<String> values(String name) {
        return values.getOrDefault(name, List.of());
    }

    private static String decoded(String text) {
        if (text.indexOf('%') < 0 && text.indexOf('+') < 0) {
            return text;
        }
        try {
            return URLDecoder.decode(text, UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
