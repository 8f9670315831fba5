package dev.postern.app.config.type;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Size in bytes as written: {@code 512B}, {@code 16KiB}, {@code 1MiB}, {@code 2GiB}; plain {@code 0} needs no unit.
 *
 * @param text as written
 */
public record ConfigSize(long bytes, String text) {

    public static final String EXPECTED = "a size such as 512B, 16KiB, 1MiB or 2GiB";

    /** Pattern in the JSON schema, for editors. */
    public static final String PATTERN = "(\\d{1,9})\\s*(B|KiB|MiB|GiB)";

    private static final Pattern FORM = Pattern.compile(PATTERN);
    private static final Map<String, Integer> SHIFT = Map.of("B", 0, "KiB", 10, "MiB", 20, "GiB", 30);

    public static ConfigSize of(String text) {
        if (text.equals("0")) {
            return new ConfigSize(0, text);
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new ConfigSize(Long.parseLong(matcher.group(1)) << SHIFT.getOrDefault(matcher.group(2), 0), text);
    }

    @Override
    public String toString() {
        return text;
    }
}
