package dev.postern.core.connection;

import dev.postern.core.metrics.Meters;
import dev.postern.core.rate.LogRateLimiter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the connections that the gateway closed for other reasons than an exchange's, and logs one of them a second. Thread-safe. */
public final class CloseReasonMetrics {

    private static final Logger LOG = LoggerFactory.getLogger(CloseReasonMetrics.class);

    private final Map<Why, LongAdder> counts = new EnumMap<>(Why.class);
    private final Map<Why, LogRateLimiter> lines = new EnumMap<>(Why.class);

    /** Why a connection was closed. */
    public enum Why {
        /** Several listeners accepted the last one that may be open. */
        FULL("more connections than limits.connections"),
        /** As many from that address as may be. */
        ADDRESS("more connections from one address than limits.connections-per-address"),
        /** A header of the PROXY protocol that is malformed, late, or from somebody who is not trusted. */
        PROXY_PROTOCOL("no good header of the PROXY protocol from one of trusted-proxies within limits.head-timeout"),
        /** TLS came to nothing. */
        HANDSHAKE("no TLS handshake within limits.head-timeout, or a failed one"),
        /** TLS where clear text is spoken. */
        TLS_HELLO(
                "a TLS handshake where HTTP is expected in clear text: give the listener tls, or connect with http://"),
        /** HTTP in clear text where TLS is spoken. */
        CLEAR_TEXT("HTTP in clear text where TLS is expected: connect with https://, or take tls out of the listener"),
        /** A header of the PROXY protocol that nobody expects. */
        PROXY_HEADER(
                "a header of the PROXY protocol that is not expected: set proxy-protocol and trusted-proxies of the listener,"
                        + " or switch it off at the load balancer"),
        /** Not even accepted: the process, or the machine, has no file descriptor left. */
        DESCRIPTORS("no file descriptor is left to accept it (ulimit -n)"),
        /** Too much to do for another handshake. */
        OVERLOADED("no TLS handshakes are begun while load is shed"),
        /** A client that takes nothing of what it asked for. */
        STALLED("nothing of a response taken for limits.write-idle-timeout");

        private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');
        private final String text;

        Why(String text) {
            this.text = text;
        }

        public String label() {
            return label;
        }
    }

    public CloseReasonMetrics(MeterRegistry registry) {
        for (Why reason : Why.values()) {
            LongAdder count = new LongAdder();
            counts.put(reason, count);
            lines.put(reason, new LogRateLimiter());
            Meters.CONNECTIONS_CLOSED.count(registry, count::sum, reason.label());
        }
    }

    /** One connection of that listener is being closed. */
    public void count(Why reason, String listener) {
        LongAdder count = counts.get(reason);
        LogRateLimiter line = lines.get(reason);
        if (count == null || line == null) {
            return; // every value has both
        }
        count.increment();
        if (line.tryAcquire()) {
            LOG.warn("listener {}: closed a connection: {} ({} so far)", listener, reason.text, count.sum());
        }
    }

    /** How many so far. */
    public long closed(Why reason) {
        LongAdder count = counts.get(reason);
        return count == null ? 0 : count.sum();
    }
}
