package dev.postern.core.http;

import io.netty.util.concurrent.FastThreadLocal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Value of a Date field (RFC 9110 section 5.6.7), formatted at most once a second by each thread. Confined to its thread. */
public final class HttpDate {

    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private static final FastThreadLocal<HttpDate> MINE = new FastThreadLocal<>() {
        @Override
        protected HttpDate initialValue() {
            return new HttpDate();
        }
    };

    private long epoch = -1;
    private String text = "";

    private HttpDate() {}

    public static String now() {
        HttpDate mine = MINE.get();
        long epoch = System.currentTimeMillis() / 1000;
        if (mine.epoch != epoch) {
            mine.text = FORMAT.format(Instant.ofEpochSecond(epoch));
            mine.epoch = epoch;
        }
        return mine.text;
    }
}
