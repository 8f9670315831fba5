package dev.postern.core.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses a head by the grammar of RFC 9112 with regular expressions, independently of the gateway's parser, so that a fault would have to be
 * in both.
 *
 * @param start the start line
 * @param fields {@code name: value} each, names as they came, values without white space around
 */
public record StrictHead(String start, List<String> fields) {

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]++";
    private static final Pattern REQUEST =
            Pattern.compile("(" + TOKEN + ") ([!-~&&[^\"#<>\\\\?]]*+(?:\\?[!-~&&[^#]]*+)?) HTTP/1\\.([0-9])");
    private static final Pattern STATUS =
            Pattern.compile("HTTP/1\\.([0-9]) ++([1-9][0-9][0-9])(?: [\t -~\\x80-\\xff]*+)?");
    private static final Pattern FIELD = Pattern.compile("(" + TOKEN + "):([\t -~\\x80-\\xff]*+)");

    /** Parses a head, which one empty line may precede; null when the text has none. */
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

    /** Parses a field line into the form of {@link #fields}, or returns null. */
    public static @Nullable String field(String line) {
        Matcher field = FIELD.matcher(line);
        return field.matches() ? field.group(1) + ": " + trimmed(field.group(2)) : null;
    }

    /** Returns method, target and minor version of a request line; null for other lines. */
    public @Nullable List<String> request() {
        return groups(REQUEST);
    }

    /** Returns minor version and status of a status line; null for other lines. */
    public @Nullable List<String> status() {
        return groups(STATUS);
    }

    /** Returns the values of a field, whose name is in lower case. */
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
