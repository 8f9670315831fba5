package dev.postern.core.upstream.pool;

import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.LongAdder;

/** Statistics of an upstream since the start, read by meters. Thread-safe. */
public final class UpstreamStats {

    private final LongAdder connects = new LongAdder();
    private final LongAdder connectFailures = new LongAdder();
    private final LongAdder requests = new LongAdder();
    private final LongAdder reuses = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder stale = new LongAdder();
    private final LongAdder retriesDenied = new LongAdder();

    void connect(boolean success) {
        (success ? connects : connectFailures).increment();
    }

    void request(boolean reused) {
        requests.increment();
        if (reused) {
            reuses.increment();
        }
    }

    public void retry(boolean granted) {
        (granted ? retries : retriesDenied).increment();
    }

    public void stale() {
        stale.increment();
    }

    public long connects() {
        return connects.sum();
    }

    public long requests() {
        return requests.sum();
    }

    /** Returns the share of requests that used a connection which had served before, 0..1. */
    public double reuseRatio() {
        long all = requests.sum();
        return all == 0 ? 0 : (double) reuses.sum() / all;
    }

    public void register(MeterRegistry meters, String upstream) {
        Meters.UPSTREAM_CONNECTS.count(meters, connects::sum, upstream, "ok");
        Meters.UPSTREAM_CONNECTS.count(meters, connectFailures::sum, upstream, "failed");
        Meters.UPSTREAM_REQUESTS.count(meters, requests::sum, upstream);
        Meters.UPSTREAM_REUSE.count(meters, reuses::sum, upstream);
        Meters.UPSTREAM_RETRIES.count(meters, retries::sum, upstream, "sent");
        Meters.UPSTREAM_RETRIES.count(meters, stale::sum, upstream, "stale");
        Meters.UPSTREAM_RETRIES.count(meters, retriesDenied::sum, upstream, "over-budget");
    }
}
