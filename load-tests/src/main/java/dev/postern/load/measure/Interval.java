package dev.postern.load.measure;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * Interval of 95 % around the median of one figure over the rounds of a run, by the percentile bootstrap: rounds are
 * drawn with replacement, and the interval holds the middle 95 % of the medians of these draws.
 *
 * <p>The draws use a fixed seed, so that the same rounds always give the same interval.
 */
public record Interval(double median, double low, double high) {
    private static final int DRAWS = 10_000;
    private static final long SEED = 4_711;
    private static final double TAIL = 0.025;

    /** Returns the interval of a figure over rounds. */
    public static <T> Interval of(List<T> rounds, ToDoubleFunction<? super T> figure) {
        return of(rounds.stream().mapToDouble(figure).toArray());
    }

    public static Interval of(double... rounds) {
        if (rounds.length == 0) {
            throw new IllegalArgumentException("rounds: none (expected: at least one)");
        }
        SplittableRandom random = new SplittableRandom(SEED);
        double[] medians = new double[DRAWS];
        double[] drawn = new double[rounds.length];
        for (int draw = 0; draw < DRAWS; draw++) {
            Arrays.setAll(drawn, i -> rounds[random.nextInt(rounds.length)]);
            medians[draw] = median(drawn);
        }
        Arrays.sort(medians);
        int cut = (int) (DRAWS * TAIL);
        return new Interval(median(rounds.clone()), medians[cut], medians[DRAWS - 1 - cut]);
    }

    /** Returns the median and leaves the values sorted. */
    private static double median(double[] values) {
        Arrays.sort(values);
        int half = values.length / 2;
        return values.length % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%s [%s..%s]", Spread.number(median), Spread.number(low), Spread.number(high));
    }
}
