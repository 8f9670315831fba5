package dev.postern.core.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A head as the grammar of RFC 9112 alone reads it, by regular expressions and written apart from the scanner, so that both would have to
 * be wrong in the same way.
 *
 * @param start the start line
 * @param fields {@code name: value} each, names as they came, values without white space around
 */
public record StrictHead(String start, List<String> fields) {

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]++";
    private static final Pattern REQUEST = Pattern.compile("(" + TOKEN + ") ([!-~&&[^\"#<>\\\\]]++) HTTP/1\\.([0-9])");
    private static final Pattern STATUS =
            Pattern.compile("HTTP/1\\.([0-9]) ([1-5][0-9][0-9])(?: [\t -~\\x80-\\xff]*+)?");
    private static final Pattern FIELD = Pattern.compile("(" + TOKEN + "):([\t -~\\x80-\\xff]*+)");

    /** What the text is the head of, one empty line before it allowed; null when it is none. */
    public static @Nullable StrictHead read(String text) {
        String head = text.startsWith("\r\n") ? text.substring(2) : text;
        if (!head.endsWith("\r\n\r\n")) {
            return null;
        }
        String[] lines = head.substring(0, head.length() - 4).split("\r\n", -1);
        List<String> fields = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            String field = field(lines[i]);
            if (field == null) {
                return null;
            }
            fields.add(field);
        }
        return new StrictHead(lines[0], fields);
    }

    /** {@code name: value} as in {@link #fields}, or null. */
    public static @Nullable String field(String line) {
        Matcher field = FIELD.matcher(line);
        return field.matches() ? field.group(1) + ": " + trimmed(field.group(2)) : null;
    }

    /** Method, target and minor version of a request; null when it is none. */
    public @Nullable List<String> request() {
        return groups(REQUEST);
    }

    /** Minor version and status of a response; null when it is none. */
    public @Nullable List<String> status() {
        return groups(STATUS);
    }

    /** The values of that name, which is in lower case. */
    public List<String> values(String name) {
        return fields.stream()
                .filter(field -> field.substring(0, field.indexOf(':'))
                        .toLowerCase(Locale.ROOT)
                        .equals(name))
                .map(field -> field.substring(field.indexOf(':') + 2))
                .toList();
    }

    private @Nullable List<String> groups(Pattern pattern) {
        Matcher matcher = pattern.matcher(start);
        if (!matcher.matches()) {
            return null;
        }
        List<String> groups = new ArrayList<>();
        for (int i = 1; i <= matcher.groupCount(); i++) {
            groups.add(matcher.group(i));
        }
        return groups;
    }

    private static String trimmed(String value) {
        return value.replaceAll("^[ \t]++", "").replaceAll("[ \t]+\\z", "");
    }
}
