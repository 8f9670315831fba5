package dev.postern.app.log;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FaultDomain;
import dev.postern.core.http.Refusal;
import dev.postern.core.rate.Gcra;
import dev.postern.core.rate.LogRateLimiter;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * Keeps what is needed to understand the last responses of 5xx that the gateway gave by itself, for an operator who comes when it is over. So many and
 * no more, and only so many a second: in a flood the first of them say it all. Thread-safe.
 */
public final class FailureBuffer implements Exchange.EndListener {

    private static final int FIRST_ERROR = 500;
    private static final int KEPT = 256;
    private static final Gcra PACE = Gcra.of(20, 1_000_000, 19);

    private final InstantSource clock;
    private final LogRateLimiter pace = new LogRateLimiter(PACE);
    private final Deque<Map<String, Object>> last = new ArrayDeque<>();

    public FailureBuffer(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public void ended(Exchange exchange) {
        Refusal refusal = exchange.outcome().refusal();
        if (refusal != null && incident(refusal, exchange.outcome().status()) && pace.tryAcquire()) {
            // Made here: the head of an exchange is used again once the exchange has ended.
            keep(FailureRecord.of(exchange, refusal, clock.instant()));
        }
    }

    /** Who waits in a room, or meets a page that an operator has put up, meets no incident. */
    private static boolean incident(Refusal refusal, int status) {
        return status >= FIRST_ERROR && refusal.blame() != FaultDomain.CLIENT && refusal != Refusal.MAINTENANCE;
    }

    private synchronized void keep(Map<String, Object> capsule) {
        if (last.size() == KEPT) {
            last.removeLast();
        }
        last.addFirst(capsule);
    }

    /** The newest first. */
    public synchronized List<Map<String, Object>> all() {
        return List.copyOf(last);
    }
}
