package dev.postern.core.pipeline;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.exchange.Trace;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StripedHistogram;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Times of all exchanges by stage: {@link Meters#STAGE}. */
public final class StageTimes implements Exchange.EndListener {

    private static final StageName[] STAGES = StageName.values();

    private final StripedHistogram histogram = StripedHistogram.byTag(
            Meters.STAGE, Arrays.stream(STAGES).map(StageName::label).toList());

    @Override
    public void ended(Exchange exchange) {
        Timeline timeline = exchange.timeline();
        @Nullable Trace trace = Trace.of(exchange);
        StripedHistogram.OnLoop mine = histogram.on(exchange.loop());
        for (int stage = 0; stage < STAGES.length; stage++) {
            long nanos = timeline.nanos(STAGES[stage]);
            if (nanos > 0) {
                mine.record(stage, nanos, trace);
            }
        }
    }

    /** Returns the histogram, in the order of {@link StageName}. */
    public StripedHistogram histogram() {
        return histogram;
    }
}
