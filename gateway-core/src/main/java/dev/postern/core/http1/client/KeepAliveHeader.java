package dev.postern.core.http1.client;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The field Keep-Alive, in which some servers say how long they keep an unused connection (RFC 9112 appendix C.2.2). */
final class KeepAliveHeader {

    private static final Pattern TIMEOUT = Pattern.compile("(?i)(?:^|[,\\s])timeout=(\\d{1,6})(?:$|[,\\s;])");

    private KeepAliveHeader() {}

    /** Seconds, or 0 when it doesn't say. */
    static long timeout(String value) {
        Matcher timeout = TIMEOUT.matcher(value);
        return timeout.find() ? Long.parseLong(timeout.group(1)) : 0;
    }
}
