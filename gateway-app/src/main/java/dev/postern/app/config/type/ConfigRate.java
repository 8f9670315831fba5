package dev.postern.app.config.type;

import dev.postern.core.rate.Gcra;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Rate as written: {@code 10/s}, {@code 600/m}, {@code 5000/h}; plain {@code 0} means none.
 *
 * @param text as written
 */
public record ConfigRate(long count, Duration per, String text) {

    public static final String EXPECTED = "a rate such as 10/s, 600/m or 5000/h";

    /** Pattern in the JSON schema, for editors. */
    public static final String PATTERN = "(\\d{1,9})\\s*/\\s*([smh])";

    private static final Pattern FORM = Pattern.compile(PATTERN);

    public static ConfigRate of(String text) {
        if (text.equals("0")) {
            return new ConfigRate(0, Duration.ofSeconds(1), text);
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(EXPECTED);
        }
        Duration per = switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(1);
            case "m" -> Duration.ofMinutes(1);
            default -> Duration.ofHours(1);
        };
        return new ConfigRate(Long.parseLong(matcher.group(1)), per, text);
    }

    public boolean isNone() {
        return count == 0;
    }

    /** Returns the rate in microseconds with a burst of one whole period; null for none. */
    public @Nullable Gcra pace() {
        return isNone() ? null : Gcra.of(count, per.toNanos() / 1000, count - 1);
    }

    @Override
    public String toString() {
        return text;
    }
}
