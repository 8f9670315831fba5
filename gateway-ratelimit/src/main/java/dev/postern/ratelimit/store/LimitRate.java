package dev.postern.ratelimit.store;

import dev.postern.core.rate.Gcra;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rate of a limit, in requests per period: {@code 10/s}, {@code 600/m}, {@code 5000/h}. */
public record LimitRate(long permits, Duration period) {

    private static final Pattern TEXT = Pattern.compile("([1-9][0-9]{0,8})/([smh])");

    public LimitRate {
        if (permits < 1 || period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException(
                    "rate: " + permits + "/" + period + " (expected: at least 1 in some time)");
        }
    }

    public static LimitRate of(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("rate: " + text + " (expected: such as 10/s, 600/m or 5000/h)");
        }
        return new LimitRate(Long.parseLong(matcher.group(1)), unit(matcher.group(2)));
    }

    private static Duration unit(String letter) {
        if (letter.equals("s")) {
            return Duration.ofSeconds(1);
        }
        return letter.equals("m") ? Duration.ofMinutes(1) : Duration.ofHours(1);
    }

    /** Returns this rate as a GCRA, in microseconds. */
    public Gcra gcra(long burst) {
        return Gcra.of(permits, period.toNanos() / 1000, burst);
    }
}
