package dev.postern.load.measure;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

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
        double[] drawn = new double[rounds.length];
        return ofDraws(rounds.clone(), random -> {
            Arrays.setAll(drawn, i -> rounds[random.nextInt(rounds.length)]);
            return drawn;
        });
    }

    /**
     * Returns the interval of a figure over rounds of several starts of the servers. Rounds of one start resemble each
     * other, because the JIT compilers decide anew in each start; so whole starts are drawn with replacement, and then
     * rounds within each drawn start.
     *
     * @param starts the rounds of each start
     */
    public static Interval ofStarts(List<double[]> starts) {
        if (starts.isEmpty() || starts.stream().anyMatch(rounds -> rounds.length == 0)) {
            throw new IllegalArgumentException("rounds: none (expected: at least one in each of one or more starts)");
        }
        return ofDraws(
                starts.stream().flatMapToDouble(Arrays::stream).toArray(),
                random -> IntStream.range(0, starts.size())
                        .mapToObj(i -> starts.get(random.nextInt(starts.size())))
                        .flatMapToDouble(rounds -> IntStream.range(0, rounds.length)
                                .mapToDouble(i -> rounds[random.nextInt(rounds.length)]))
                        .toArray());
    }

    /** @param draw returns one draw of rounds, whose order does not matter */
    private static Interval ofDraws(double[] rounds, Function<SplittableRandom, double[]> draw) {
        SplittableRandom random = new SplittableRandom(SEED);
        double[] medians = new double[DRAWS];
        Arrays.setAll(medians, i -> median(draw.apply(random)));
        Arrays.sort(medians);
        int cut = (int) (DRAWS * TAIL);
        return new Interval(median(rounds), medians[cut], medians[DRAWS - 1 - cut]);
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
