package dev.postern.core.config;

import dev.postern.core.rate.Gcra;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rate per period, as operators write it: {@code 10/s}, {@code 600/m}, {@code 5000/h}; plain {@code 0} means none.
 *
 * @param period a second, a minute or an hour if parsed
 */
public record Rate(long count, Duration period) {

    public static final String EXPECTED = "a rate such as 10/s, 600/m or 5000/h";

    /** Pattern for editors, in the JSON schema. */
    public static final String PATTERN = "(\\d{1,9})\\s*/\\s*([smh])";

    private static final Pattern FORM = Pattern.compile(PATTERN);
    private static final Map<String, Duration> PERIODS =
            Map.of("s", Duration.ofSeconds(1), "m", Duration.ofMinutes(1), "h", Duration.ofHours(1));

    /** Parses a rate; the message of the {@link IllegalArgumentException} says what was expected. */
    public static Rate of(String text) {
        if (text.equals("0")) {
            return new Rate(0, Duration.ofSeconds(1));
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        return new Rate(
                Long.parseLong(matcher.group(1)), PERIODS.getOrDefault(matcher.group(2), Duration.ofSeconds(1)));
    }

    public boolean isNone() {
        return count == 0;
    }

    /** Returns this rate with bursts of a whole period; null for none. */
    public @Nullable Gcra gcra() {
        return isNone() ? null : gcra(count - 1);
    }

    /** Returns this rate, which is not none, as GCRA in microseconds. */
    public Gcra gcra(long burst) {
        return Gcra.of(count, period.toNanos() / 1000, burst);
    }

    @Override
    public String toString() {
        return isNone() ? "0" : count + "/" + DurationText.format(period).replaceFirst("^1(?=[smh]$)", "");
    }
}
