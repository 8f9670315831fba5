package dev.postern.core.config;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Share of a whole, as operators write it: {@code 1%}, {@code 0.5%}.
 *
 * @param fraction 0..1
 */
public record Share(double fraction) {

    /** Pattern for editors, in the JSON schema. */
    public static final String PATTERN = "(\\d{1,3}(?:\\.\\d{1,6})?)\\s*%";

    private static final Pattern FORM = Pattern.compile(PATTERN);

    /** Parses a share; the message of the {@link IllegalArgumentException} says what was expected. */
    public static Share of(String text) {
        Matcher matcher = FORM.matcher(text);
        if (matcher.matches()) {
            double fraction = new BigDecimal(matcher.group(1)).movePointLeft(2).doubleValue();
            if (fraction <= 1) {
                return new Share(fraction);
            }
        }
        throw new IllegalArgumentException("a share of 0%..100%");
    }

    @Override
    public String toString() {
        return BigDecimal.valueOf(fraction)
                        .movePointRight(2)
                        .stripTrailingZeros()
                        .toPlainString() + "%";
    }
}
