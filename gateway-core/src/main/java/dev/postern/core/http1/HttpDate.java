package dev.postern.core.http1;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The value of a Date field (RFC 9110 section 5.6.7), made once a second. Thread-safe. */
final class HttpDate {

    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    // A cache whose loss or doubling is harmless: every value in it is right.
    private static volatile Second latest = new Second(0, "");

    private record Second(long epoch, String text) {}

    private HttpDate() {}

    static String now() {
        long epoch = System.currentTimeMillis() / 1000;
        Second cached = latest;
        if (cached.epoch() != epoch) {
            cached = new Second(epoch, FORMAT.format(Instant.ofEpochSecond(epoch)));
            latest = cached;
        }
        return cached.text();
    }
}
