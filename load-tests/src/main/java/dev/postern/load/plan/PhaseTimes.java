package dev.postern.load.plan;

import dev.postern.load.measure.Known;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;

/** Times of requests by phase, recorded by any thread. */
public final class PhaseTimes {
    private record Times(Phase phase, ConcurrentHistogram micros, LongAdder requests, LongAdder failed) {
        Times(Phase phase) {
            this(phase, new ConcurrentHistogram(3), new LongAdder(), new LongAdder());
        }

        PhaseResult result() {
            return new PhaseResult(
                    phase.name(),
                    phase.rate(),
                    requests.sum(),
                    failed.sum(),
                    micros.getValueAtPercentile(50),
                    micros.getValueAtPercentile(99));
        }
    }

    private final Map<Phase, Times> times = new LinkedHashMap<>();

    public PhaseTimes(Phases phases) {
        phases.list().forEach(phase -> times.put(phase, new Times(phase)));
    }

    /** Records a request that had a response. */
    public void response(Phase phase, long micros, boolean failed) {
        of(phase).micros.recordValue(micros);
        count(phase, failed);
    }

    /** Records a request without response. */
    public void noResponse(Phase phase) {
        count(phase, true);
    }

    private void count(Phase phase, boolean failed) {
        of(phase).requests.increment();
        if (failed) {
            of(phase).failed.increment();
        }
    }

    private Times of(Phase phase) {
        return Known.in(times, "phase", phase);
    }

    public List<PhaseResult> results() {
        return times.values().stream().map(Times::result).toList();
    }
}
