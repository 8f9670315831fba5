package dev.postern.core.connection;

import dev.postern.core.metrics.Meters;
import dev.postern.core.rate.LogRateLimiter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the connections that the gateway closed outside exchanges, by reason, and logs at most one of them a second. Thread-safe. */
public final class CloseReasonMetrics {

    private static final Logger LOG = LoggerFactory.getLogger(CloseReasonMetrics.class);

    private final Map<Why, LongAdder> counts = new EnumMap<>(Why.class);
    private final Map<Why, LogRateLimiter> logLimiters = new EnumMap<>(Why.class);

    /** Reason for which a connection was closed. */
    public enum Why {
        /** Several listeners accepted at the same time, and the connection limit was exceeded. */
        FULL("more connections than limits.connections"),
        /** The limit of connections from one address was reached. */
        ADDRESS("more connections from one address than limits.connections-per-address"),
        /** The address list of the listener denies the client. */
        ADDRESS_DENIED("an address that listeners[].deny has, or listeners[].allow does not have"),
        /** The header of the PROXY protocol is malformed, late, or from a peer that is not trusted. */
        PROXY_PROTOCOL("no good header of the PROXY protocol from one of trusted-proxies within limits.head-timeout"),
        /** The client began more TLS handshakes than its address may. */
        HANDSHAKES("more TLS handshakes from one address than limits.handshakes-per-address"),
        /** The TLS handshake failed or timed out. */
        HANDSHAKE("no TLS handshake within limits.head-timeout, or a failed one"),
        /** TLS on a clear-text listener. */
        TLS_HELLO(
                "a TLS handshake where HTTP is expected in clear text: give the listener tls, or connect with http://"),
        /** HTTP in clear text on a TLS listener. */
        CLEAR_TEXT("HTTP in clear text where TLS is expected: connect with https://, or take tls out of the listener"),
        /** A header of the PROXY protocol on a listener that does not expect one. */
        PROXY_HEADER(
                "a header of the PROXY protocol that is not expected: set proxy-protocol and trusted-proxies of the listener,"
                        + " or switch it off at the load balancer"),
        /** Not accepted: the process, or the machine, has no file descriptor left. */
        DESCRIPTORS("no file descriptor is left to accept it (ulimit -n)"),
        /** The gateway sheds load and starts no TLS handshake. */
        OVERLOADED("no TLS handshakes are begun while load is shed"),
        /** The client does not read its response. */
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

    public CloseReasonMetrics(MeterRegistry registry, Ticker ticker) {
        for (Why reason : Why.values()) {
            LongAdder count = new LongAdder();
            counts.put(reason, count);
            logLimiters.put(reason, new LogRateLimiter(ticker));
            Meters.CONNECTIONS_CLOSED.count(registry, count::sum, reason.label());
        }
    }

    /** Counts a connection of the listener that is being closed. */
    public void count(Why reason, String listener) {
        count(reason, listener, "");
    }

    /**
     * Counts a connection of the listener that is being closed.
     *
     * @param detail what happened on this connection, for the log, without the client's address; empty for none
     */
    public void count(Why reason, String listener, String detail) {
        LongAdder count = counts.get(reason);
        LogRateLimiter logLimiter = logLimiters.get(reason);
        if (count == null || logLimiter == null) {
            return;
        }
        count.increment();
        if (logLimiter.tryAcquire()) {
            String text = detail.isEmpty() ? reason.text : reason.text + ": " + detail;
            LOG.warn("listener {}: closed a connection: {} ({} so far)", listener, text, count.sum());
        }
    }

    /** Returns the number of connections closed for the reason so far. */
    public long closed(Why reason) {
        LongAdder count = counts.get(reason);
        return count == null ? 0 : count.sum();
    }
}
