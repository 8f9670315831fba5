package dev.postern.core.metrics;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Stage;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.transport.LoopLocal;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Where the time of all exchanges went, stage by stage: {@link Meters#STAGE}, counted on each event loop by itself and added up when
 * somebody reads it.
 */
public final class StageTimes implements Exchange.EndListener {

    private static final Stage[] STAGES = Stage.values();
    private static final List<Duration> BOUNDS = List.of(Buckets.bounds());

    private final LoopLocal<Buckets[]> loops = new LoopLocal<>(
            loop -> Stream.generate(Buckets::new).limit(STAGES.length).toArray(Buckets[]::new));

    /**
     * The times of one stage up to now.
     *
     * @param bounds upper ends of the buckets; the last one has none
     * @param counts how many times fell into each bucket, one more than bounds
     * @param sum of all times
     */
    public record Times(List<Duration> bounds, List<Long> counts, Duration sum) {}

    @Override
    public void ended(Exchange exchange) {
        Timeline timeline = exchange.timeline();
        Buckets[] mine = loops.get(exchange.loop());
        for (int stage = 0; stage < mine.length; stage++) {
            long nanos = timeline.nanos(STAGES[stage]);
            if (nanos > 0) {
                mine[stage].record(nanos);
            }
        }
    }

    /** From any thread. */
    public Times of(Stage stage) {
        long[] counts = new long[BOUNDS.size() + 1];
        long sum = 0;
        for (Buckets[] loop : loops.all()) {
            Buckets buckets = loop[stage.ordinal()];
            buckets.addTo(counts);
            sum += buckets.sumNanos();
        }
        return new Times(BOUNDS, LongStream.of(counts).boxed().toList(), Duration.ofNanos(sum));
    }
}
