package dev.postern.core.http1.client;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keep-Alive header, in which some upstreams state how long they keep an idle connection (RFC 9112 appendix C.2.2). */
final class KeepAliveHeader {

    private static final Pattern TIMEOUT = Pattern.compile("(?i)(?:^|[,\\s])timeout=(\\d{1,6})(?:$|[,\\s;])");

    private KeepAliveHeader() {}

    /** Returns the timeout in seconds, or 0 when the value has none. */
    static long timeout(String value) {
        Matcher timeout = TIMEOUT.matcher(value);
        return timeout.find() ? Long.parseLong(timeout.group(1)) : 0;
    }
}
