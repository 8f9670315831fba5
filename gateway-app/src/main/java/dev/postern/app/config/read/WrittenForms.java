package dev.postern.app.config.read;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Written forms of values that came from outside of the configuration, such as <code>${PASSWORD}</code>: output shows these in place of
 * the values, which may be secret.
 */
final class WrittenForms {

    private static final String EXPECTED = " (expected: ";

    /** Length of a value that is replaced as a whole word of what was found; shorter ones are words of messages. */
    private static final int WORD = 4;

    /** Length of a value that is replaced everywhere. */
    private static final int ANYWHERE = 6;

    private final Map<String, String> byPath = new HashMap<>();
    private final Map<String, String> values = new HashMap<>();
    private final Map<String, String> byValue =
            new TreeMap<>(Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()));

    /** Adds the value of one reference. */
    void add(String value, String written) {
        if (!value.isBlank()) {
            byValue.put(value, written);
            // As messages show it: on one line, and cut.
            byValue.put(ShownText.line(value), written);
        }
    }

    /** Adds the whole value at a path, which contains a reference. */
    void add(String path, String value, String written) {
        byPath.put(path, written);
        values.put(path, value);
        add(value, written);
    }

    /** Returns the value at a path as it was written; null for a value of the configuration itself. */
    @Nullable
    String at(String path) {
        return byPath.get(path);
    }

    /** Returns a message about the value at a path with the written forms. */
    String message(String path, String text) {
        if (byValue.isEmpty()) {
            return text;
        }
        int expected = text.indexOf(EXPECTED);
        String found = expected < 0 ? text : text.substring(0, expected);
        String value = values.get(path);
        if (value != null && found.startsWith(value)) {
            found = byPath.get(path) + found.substring(value.length());
        }
        String whole = words(found) + (expected < 0 ? "" : text.substring(expected));
        for (Map.Entry<String, String> one : byValue.entrySet()) {
            if (one.getKey().length() >= ANYWHERE) {
                whole = whole.replace(one.getKey(), one.getValue());
            }
        }
        return whole;
    }

    private String words(String text) {
        String replaced = text;
        for (Map.Entry<String, String> one : byValue.entrySet()) {
            if (one.getKey().length() >= WORD) {
                replaced = Pattern.compile("(?<![\\w-])" + Pattern.quote(one.getKey()) + "(?![\\w-])")
                        .matcher(replaced)
                        .replaceAll(Matcher.quoteReplacement(one.getValue()));
            }
        }
        return replaced;
    }
}
