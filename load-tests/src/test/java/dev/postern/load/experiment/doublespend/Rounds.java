package dev.postern.load.experiment.doublespend;

import dev.postern.load.measure.TimerScrape;
import dev.postern.load.worker.Checks;
import dev.postern.load.worker.Latencies;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Rounds with chosen values: all goals are met until a test replaces a turn. */
final class Rounds {
    private static final int CALLS = 100;

    private final Map<Variant, Checks> variants = new EnumMap<>(Variant.class);
    private final Map<String, GatewayTurn> gateways = new HashMap<>();

    Rounds() {
        with(Variant.NAGLE, checks(44_000, 20, 200));
        with(Variant.NO_DELAY, checks(120, 20, 300));
        with(Variant.ONE_WRITE, checks(100, 20, 100));
        with(Variant.VERSION, checks(44_200, 20, 300));
        with(Variant.POOL, checks(44_000, 20, 200));
        with(Variant.POOL_ONE_WRITE, checks(100, 20, 100));
        Results.CLIENTS.forEach(client -> with(client, gateway(100, CALLS, 400, 90)));
    }

    Rounds with(Variant variant, Checks turn) {
        variants.put(variant, turn);
        return this;
    }

    Rounds with(String client, GatewayTurn turn) {
        gateways.put(client, turn);
        return this;
    }

    /** Returns results at 20 and 5,000 checks per second, with equal rounds. */
    Results results() {
        Round round = new Round(variants, gateways);
        return new Results(new TreeMap<>(Map.of(20, List.of(round, round), 5_000, List.of(round))));
    }

    /** Returns 100 checks; {@code version} takes half of the wait. */
    static Checks checks(long micros, long waitMicros, long segments) {
        return new Checks(0, segments, times(waitMicros), times(micros), times(waitMicros / 2));
    }

    private static Histogram times(long micros) {
        Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(micros * 1_000, CALLS);
        return histogram;
    }

    /**
     * Returns 100 requests.
     *
     * @param micros upper bound of the bucket in which all checks are, twice its lower bound
     * @param timed checks that the timer counted
     */
    static GatewayTurn gateway(double micros, long timed, double outsideMicros, long segments) {
        TreeMap<Double, Long> cumulative = new TreeMap<>();
        cumulative.put(micros / 2e6, 0L);
        cumulative.put(micros / 1e6, timed);
        cumulative.put(1.0, timed);
        cumulative.put(Double.POSITIVE_INFINITY, timed);
        Latencies outside = new Latencies(CALLS, 0, outsideMicros, outsideMicros, outsideMicros, outsideMicros);
        return new GatewayTurn(new TimerScrape(cumulative, timed * micros / 1e6), outside, segments);
    }
}
