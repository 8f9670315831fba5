package dev.postern.core.upstream.pool;

import dev.postern.core.metrics.Meters;
import dev.postern.core.upstream.share.Preemption;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
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
    private final Map<Preemption, LongAdder> preempted = new EnumMap<>(Preemption.class);

    public UpstreamStats() {
        for (Preemption cause : Preemption.values()) {
            preempted.put(cause, new LongAdder());
        }
    }

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

    void preempted(Preemption cause) {
        adder(cause).increment();
    }

    private LongAdder adder(Preemption cause) {
        return Objects.requireNonNull(preempted.get(cause), "cause");
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
        for (Preemption cause : Preemption.values()) {
            Meters.UPSTREAM_PREEMPTED.count(meters, adder(cause)::sum, upstream, cause.label());
        }
        Meters.UPSTREAM_RETRIES.count(meters, retriesDenied::sum, upstream, "over-budget");
    }
}
