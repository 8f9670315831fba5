package dev.postern.app.config.type;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Duration as written: {@code 50ms}, {@code 10s}, {@code 5m}, {@code 1h}, {@code 7d}; plain {@code 0} needs no unit.
 *
 * @param text as written
 */
public record ConfigDuration(Duration duration, String text) {

    public static final String EXPECTED = "a duration such as 50ms, 10s, 5m or 1h";

    /** Pattern in the JSON schema, for editors. */
    public static final String PATTERN = "(\\d{1,12}(?:\\.\\d{1,6})?)\\s*(us|ms|s|m|h|d)";

    private static final Pattern FORM = Pattern.compile(PATTERN);
    private static final Map<String, Long> NANOS = Map.of(
            "us", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L,
            "d", 86_400_000_000_000L);

    public static ConfigDuration of(String text) {
        if (text.equals("0")) {
            return new ConfigDuration(Duration.ZERO, text);
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        BigDecimal nanos =
                new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(NANOS.getOrDefault(matcher.group(2), 1L)));
        if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("a duration of less than 290 years");
        }
        return new ConfigDuration(Duration.ofNanos(nanos.longValue()), text);
    }

    /** Returns nanoseconds. */
    public long nanos() {
        return duration.toNanos();
    }

    public boolean isZero() {
        return duration.isZero();
    }

    @Override
    public String toString() {
        return text;
    }
}
