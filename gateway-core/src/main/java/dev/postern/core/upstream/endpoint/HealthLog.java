package dev.postern.core.upstream.endpoint;

import dev.postern.core.rate.Gcra;
import dev.postern.core.rate.LogRateLimiter;
import dev.postern.core.upstream.endpoint.EndpointHealth.Source;
import io.netty.util.concurrent.Ticker;
import java.net.SocketAddress;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log of the health of one endpoint: a line when the endpoint is left out, and one when it is back. Where the limiter withholds the first, the
 * second is missing too. Thread-safe.
 */
public final class HealthLog implements EndpointHealth.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(HealthLog.class);

    private final String upstream;
    private final SocketAddress address;
    private final LogRateLimiter limiter;
    private final Set<Source> logged = EnumSet.noneOf(Source.class);

    /** @param limiter limits the lines of all endpoints of the upstream */
    public HealthLog(String upstream, SocketAddress address, LogRateLimiter limiter) {
        this.upstream = upstream;
        this.address = address;
        this.limiter = limiter;
    }

    /** Creates a limiter of ten lines at once, then one every ten seconds. */
    public static LogRateLimiter limiter(Ticker ticker) {
        return new LogRateLimiter(Gcra.of(1, TimeUnit.SECONDS.toMicros(10), 9), ticker);
    }

    @Override
    public synchronized void leftOut(Source source, String reason) {
        if (limiter.tryAcquire()) {
            logged.add(source);
            LOG.warn("upstream {}: endpoint {} is left out: {}", upstream, Endpoint.text(address), reason);
        }
    }

    @Override
    public synchronized void back(Source source) {
        if (logged.remove(source)) {
            LOG.info(
                    "upstream {}: endpoint {} is back: {}",
                    upstream,
                    Endpoint.text(address),
                    source == Source.CHECKS ? "health checks succeed" : "it responds");
        }
    }
}
