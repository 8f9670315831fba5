package dev.postern.load.measure;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Median and range of one figure over the rounds of a run. */
public record Spread(double median, double min, double max) {
    public static Spread of(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("values: none (expected: at least one)");
        }
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int half = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** Returns the spread of a figure over rounds. */
    public static <T> Spread of(List<T> rounds, ToDoubleFunction<T> figure) {
        return of(rounds.stream().mapToDouble(figure).boxed().toList());
    }

    public static Spread of(double... values) {
        return of(Arrays.stream(values).boxed().toList());
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s [%s..%s]", number(median), number(min), number(max));
    }

    /** Formats the number with three or four significant digits. */
    public static String number(double value) {
        double size = Math.abs(value);
        String format = size >= 1000 ? "%,.0f" : size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }
}
