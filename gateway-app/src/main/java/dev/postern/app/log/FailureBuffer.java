package dev.postern.app.log;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.http.FaultDomain;
import dev.postern.core.http.Refusal;
import dev.postern.core.rate.Gcra;
import dev.postern.core.rate.LogRateLimiter;
import io.netty.util.concurrent.Ticker;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * Buffer of failure records: data about the last 5xx responses that the gateway generated itself, for a later diagnosis. Number and rate
 * are bounded: under a flood of failures, the first records are sufficient. Thread-safe.
 */
public final class FailureBuffer implements Exchange.EndListener {

    private static final int FIRST_ERROR = 500;
    private static final int KEPT = 256;
    private static final Gcra PACE = Gcra.of(20, 1_000_000, 19);

    private final InstantSource clock;
    private final LogRateLimiter logLimiter;
    private final Deque<Map<String, Object>> last = new ArrayDeque<>();

    public FailureBuffer(InstantSource clock, Ticker ticker) {
        this.clock = clock;
        this.logLimiter = new LogRateLimiter(PACE, ticker);
    }

    @Override
    public void ended(Exchange exchange) {
        Refusal refusal = exchange.outcome().refusal();
        if (refusal != null && incident(refusal, exchange.outcome().status()) && logLimiter.tryAcquire()) {
            // Created here, because the head of an exchange is reused once the exchange has ended.
            keep(FailureRecord.of(exchange, refusal, clock.instant()));
        }
    }

    /** Returns whether the refusal is a failure. Waiting in a room and a maintenance page are not failures. */
    static boolean incident(Refusal refusal, int status) {
        return status >= FIRST_ERROR && refusal.blame() != FaultDomain.CLIENT && refusal != Refusal.MAINTENANCE;
    }

    private synchronized void keep(Map<String, Object> record) {
        if (last.size() == KEPT) {
            last.removeLast();
        }
        last.addFirst(record);
    }

    /** Returns the records, the newest first. */
    public synchronized List<Map<String, Object>> all() {
        return List.copyOf(last);
    }

    /** Returns the records of exchanges with that id: several where clients chose the ids. */
    public List<Map<String, Object>> of(String id) {
        return all().stream().filter(record -> id.equals(record.get("id"))).toList();
    }
}
