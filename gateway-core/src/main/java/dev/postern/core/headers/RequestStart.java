package dev.postern.core.headers;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Request start: the time at which a trusted proxy got a request, from its field {@code X-Request-Start}. Proxies write it as {@code t=} and the
 * time since 1970 in seconds with a fraction ({@code $msec} of nginx), or in whole milliseconds or microseconds (routers of PaaS, HAProxy).
 */
public final class RequestStart {

    private static final FieldName NAME = FieldName.of("x-request-start");
    private static final Pattern TIME = Pattern.compile("(?:t=)?([0-9]{10})(?:([0-9]{3})([0-9]{3})?|\\.([0-9]{1,9}))?");

    /** A request that waited longer has another cause, such as a clock that is wrong. */
    private static final long LONGEST_MICROS = 3_600_000_000L;

    private RequestStart() {}

    /** Returns the microseconds from a trusted proxy to the gateway; -1 if none reports it, or the clocks do not agree. */
    public static long beforeMicros(ClientConnection from, RequestHead request, Instant arrival) {
        if (!from.trusted() || request.occurrences(NAME) != 1) {
            return -1;
        }
        @Nullable Instant start = parse(String.valueOf(request.value(NAME)));
        long micros = start == null ? -1 : ChronoUnit.MICROS.between(start, arrival);
        return micros <= LONGEST_MICROS ? Math.max(-1, micros) : -1;
    }

    /** Returns the time, or null for a text that is none. */
    static @Nullable Instant parse(String text) {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            return null;
        }
        long nanos = 0;
        if (time.group(4) != null) {
            nanos = new BigDecimal("0." + time.group(4)).movePointRight(9).longValueExact();
        } else if (time.group(2) != null) {
            nanos = Long.parseLong(time.group(2)) * 1_000_000;
            nanos += time.group(3) == null ? 0 : Long.parseLong(time.group(3)) * 1_000;
        }
        return Instant.ofEpochSecond(Long.parseLong(time.group(1)), nanos);
    }
}
