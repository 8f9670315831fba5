package dev.postern.core.config;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Condition of the effect of a key: another key, and perhaps its values. Written {@code balance: ring-hash}, {@code kind: auto | epoll}, or
 * {@code trusted-proxies} for a key that has a value and is not off. The first word is a key of the nearest section around that has one of
 * this name; {@code []} stands for each element of a list and {@code <name>} for each value of a map, of which one is enough.
 *
 * @param path dotted, such as {@code routes[].token}
 * @param values as operators write them, where {@code NAME} at the end stands for any text, also for {@code none}; empty: every value that is not off
 */
public record KeyNeed(String path, List<String> values) {

    private static final String ANY_TEXT = "NAME";
    private static final Pattern OFF = Pattern.compile("null|false|off|none|0(\\.0+)?[^0-9.]*");

    public KeyNeed {
        values = List.copyOf(values);
    }

    /** Returns the conditions of a key, of which one is enough; empty for a key that always has an effect. */
    public static List<KeyNeed> of(Key key) {
        return Arrays.stream(key.needs()).map(KeyNeed::parse).toList();
    }

    /** Parses a condition. */
    static KeyNeed parse(String text) {
        String[] parts = text.split(": ", 2);
        return new KeyNeed(parts[0], parts.length == 1 ? List.of() : List.of(parts[1].split(" \\| ")));
    }

    /** Returns whether a value switches something off. */
    public static boolean isOff(String value) {
        return OFF.matcher(value).matches();
    }

    /** Returns whether a value of the other key meets the condition. */
    public boolean isMetBy(String value) {
        return values.isEmpty() ? !isOff(value) : values.stream().anyMatch(one -> matches(one, value));
    }

    private static boolean matches(String one, String value) {
        return one.endsWith(ANY_TEXT)
                ? !value.equals("null") && value.startsWith(one.substring(0, one.length() - ANY_TEXT.length()))
                : one.equals(value);
    }

    /**
     * Returns the conditions as the documentation shows them after the description of a key.
     *
     * @param quote around each condition, such as a back quote
     */
    public static String documentation(Key key, String quote) {
        String needs = of(key).stream().map(need -> quote + need + quote).collect(Collectors.joining(" or "));
        return (needs.isEmpty() ? "" : " Needs " + needs + ".")
                + (key.upTo().isEmpty() ? "" : " Up to " + quote + key.upTo() + quote + ".");
    }

    /** Returns the condition as messages and documentation show it. */
    @Override
    public String toString() {
        return path + (values.isEmpty() ? "" : ": " + String.join(" | ", values));
    }
}
