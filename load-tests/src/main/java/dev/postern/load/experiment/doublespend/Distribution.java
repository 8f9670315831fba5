package dev.postern.load.experiment.doublespend;

import dev.postern.load.worker.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Cumulative distribution over all rounds.
 *
 * @param millis in rising order
 * @param percent of the checks that took at most as long
 */
record Distribution(List<Double> millis, List<Double> percent) {
    private static final double[] PERCENTILES = {
        0.1, 1, 2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 98, 99, 99.5, 99.9, 100
    };

    static Distribution of(List<Round> rounds, Variant variant) {
        Histogram sum = new Histogram(3);
        rounds.forEach(round -> sum.add(round.of(variant).times()));
        List<Double> millis = new ArrayList<>();
        List<Double> percent = new ArrayList<>();
        for (double percentile : PERCENTILES) {
            millis.add(Checks.micros(sum, percentile) / 1e3);
            percent.add(percentile);
        }
        return new Distribution(millis, percent);
    }

    /** Returns the distribution of the gateway's own times, with a point at the upper bound of each bucket. */
    static Distribution of(List<Round> rounds, String client) {
        NavigableMap<Double, Long> sum = new TreeMap<>();
        for (Round round : rounds) {
            round.of(client).timer().cumulative().forEach((bound, count) -> sum.merge(bound, count, Long::sum));
        }
        long all = sum.isEmpty() ? 0 : sum.lastEntry().getValue();
        List<Double> millis = new ArrayList<>();
        List<Double> percent = new ArrayList<>();
        sum.headMap(Double.POSITIVE_INFINITY).forEach((bound, count) -> {
            boolean ended = !percent.isEmpty() && percent.get(percent.size() - 1) == 100;
            if (!ended) {
                millis.add(bound * 1e3);
                percent.add(100.0 * count / all);
            }
        });
        return new Distribution(millis, percent);
    }
}
