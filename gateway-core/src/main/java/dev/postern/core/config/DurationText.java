package dev.postern.core.config;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text of durations, as operators write it: {@code 50ms}, {@code 10s}, {@code 5m}, {@code 1h}, {@code 7d}; plain {@code 0} needs no unit. */
public final class DurationText {

    /** Pattern for editors, in the JSON schema. */
    public static final String PATTERN = "(\\d{1,12}(?:\\.\\d{1,6})?)\\s*(us|ms|s|m|h|d)";

    private static final Pattern FORM = Pattern.compile(PATTERN);

    private static final List<String> UNITS = List.of("d", "h", "m", "s", "ms", "us");
    private static final Map<String, Long> NANOS = Map.of(
            "us", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L,
            "d", 86_400_000_000_000L);

    private DurationText() {}

    /** Parses a duration; the message of the {@link IllegalArgumentException} says what was expected. */
    public static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a duration such as 50ms, 10s, 5m or 1h");
        }
        BigDecimal nanos =
                new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(NANOS.getOrDefault(matcher.group(2), 1L)));
        if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("a duration of less than 290 years");
        }
        return Duration.ofNanos(nanos.longValue());
    }

    /** Formats a duration in the largest unit that needs no fraction. */
    public static String format(Duration duration) {
        long nanos = duration.toNanos();
        for (String unit : UNITS) {
            long size = NANOS.getOrDefault(unit, 1L);
            if (nanos != 0 && nanos % size == 0) {
                return nanos / size + unit;
            }
        }
        return nanos == 0 ? "0" : BigDecimal.valueOf(nanos, 3) + "us";
    }
}
