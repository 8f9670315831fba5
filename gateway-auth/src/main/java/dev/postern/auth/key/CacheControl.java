package dev.postern.auth.key;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How long a response may be used without asking again (RFC 9111 section 4.2), for a cache that serves only itself. */
final class CacheControl {

    private CacheControl() {}

    /** Zero when it must be asked again at once, null when the response says nothing of it. */
    static @Nullable Duration of(HttpHeaders headers, Instant now) {
        Duration lifetime = lifetime(headers, now);
        if (lifetime == null) {
            return null;
        }
        Duration left = lifetime.minusSeconds(seconds(headers.firstValue("age").orElse("0")));
        return left.isNegative() ? Duration.ZERO : left;
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
        // A date that can't be read lies in the past (RFC 9111 section 5.3).
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
