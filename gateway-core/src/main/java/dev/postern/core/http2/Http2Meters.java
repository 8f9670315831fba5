package dev.postern.core.http2;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.http2.guard.AbuseLimitListener;
import dev.postern.core.metrics.Meters;
import dev.postern.core.rate.LogRateLimiter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.util.concurrent.Ticker;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the connections that ended because of an exceeded limit and logs them, at most once a second. Thread-safe. */
public final class Http2Meters implements AbuseLimitListener {

    private static final Logger LOG = LoggerFactory.getLogger(Http2Meters.class);

    private final Map<AbuseLimit, Counter> counters = new EnumMap<>(AbuseLimit.class);
    private final LogRateLimiter logLimiter;

    public Http2Meters(MeterRegistry registry, Ticker ticker) {
        logLimiter = new LogRateLimiter(ticker);
        for (AbuseLimit limit : AbuseLimit.values()) {
            counters.put(limit, Meters.HTTP2_BUDGETS.counter(registry, limit.label()));
        }
    }

    @Override
    public void over(AbuseLimit limit, ClientConnection client) {
        Counter counter = counters.get(limit);
        if (counter != null) {
            counter.increment();
        }
        if (logLimiter.tryAcquire()) {
            LOG.warn(
                    "listener {}: http2: a client used up its budget of {}; its connection was ended (more may have been)",
                    client.listener().name(),
                    limit.label());
        }
    }
}
