package dev.postern.auth.key;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Cache-Control evaluation: how long a response may be used without revalidation (RFC 9111 section 4.2), for a private cache. */
final class CacheControl {

    private CacheControl() {}

    /**
     * Returns the remaining freshness lifetime: zero when the response must be revalidated at once, null when its fields state no lifetime.
     */
    static @Nullable Duration of(HttpHeaders headers, Instant now) {
        Duration lifetime = lifetime(headers, now);
        if (lifetime == null) {
            return null;
        }
        Duration remaining =
                lifetime.minusSeconds(seconds(headers.firstValue("age").orElse("0")));
        return remaining.isNegative() ? Duration.ZERO : remaining;
    }

    private static @Nullable Duration lifetime(HttpHeaders headers, Instant now) {
        Duration maxAge = null;
        for (String value : headers.allValues("cache-control")) {
            for (String part : value.toLowerCase(Locale.ROOT).split(",")) {
                String directive = part.strip();
                if (directive.equals("no-store") || directive.equals("no-cache")) {
                    return Duration.ZERO;
                }
                if (directive.startsWith("max-age=") && maxAge == null) {
                    maxAge = Duration.ofSeconds(seconds(directive.substring(8).replace("\"", "")));
                }
            }
        }
        if (maxAge != null) {
            return maxAge;
        }
        String expires = headers.firstValue("expires").orElse(null);
        if (expires == null) {
            return null;
        }
        Instant end = date(expires);
        Instant start = date(headers.firstValue("date").orElse(""));
        // An invalid date counts as in the past (RFC 9111 section 5.3).
        return end == null ? Duration.ZERO : Duration.between(start == null ? now : start, end);
    }

    private static long seconds(String text) {
        String digits = text.strip();
        boolean number =
                !digits.isEmpty() && digits.length() < 10 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Long.parseLong(digits) : 0;
    }

    private static @Nullable Instant date(String text) {
        try {
            return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
        } catch (DateTimeException e) {
            return null;
        }
    }
}
