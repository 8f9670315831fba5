package dev.postern.app.config.type;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Share of a whole as written: {@code 1%}, {@code 0.5%}.
 *
 * @param of 0..1
 * @param text as written
 */
public record ConfigShare(double of, String text) {

    public static final String EXPECTED = "a share of 0%..100%";

    /** Pattern in the JSON schema, for editors. */
    public static final String PATTERN = "(\\d{1,3}(?:\\.\\d{1,6})?)\\s*%";

    private static final Pattern FORM = Pattern.compile(PATTERN);

    public static ConfigShare of(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || Double.parseDouble(matcher.group(1)) > 100) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new ConfigShare(Double.parseDouble(matcher.group(1)) / 100, text);
    }

    @Override
    public String toString() {
        return text;
    }
}
