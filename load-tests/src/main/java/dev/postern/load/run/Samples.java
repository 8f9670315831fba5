package dev.postern.load.run;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** Samples of one run, in their order. */
public record Samples(List<Sample> list) {
    /** Returns the known values of a figure from one time to another, in seconds. */
    public DoubleStream values(ToDoubleFunction<Sample> figure, double from, double to) {
        return list.stream()
                .filter(sample -> sample.seconds() >= from && sample.seconds() < to)
                .mapToDouble(figure)
                .filter(value -> !Double.isNaN(value));
    }

    /** Returns the highest value of a figure; NaN if there is none. */
    public double max(Figure figure) {
        return values(sample -> sample.of(figure), 0, Double.POSITIVE_INFINITY)
                .max()
                .orElse(Double.NaN);
    }

    /** Returns the known values of each figure by its name, and the seconds of the samples, to a hundredth. */
    public Map<String, double[]> columns() {
        Map<String, double[]> columns = new LinkedHashMap<>();
        columns.put("seconds", rounded(Sample::seconds));
        for (Figure figure : Figure.values()) {
            double[] values = rounded(sample -> sample.of(figure));
            if (!Arrays.stream(values).allMatch(Double::isNaN)) {
                columns.put(figure.name().toLowerCase(Locale.ROOT).replace('_', '-'), values);
            }
        }
        return columns;
    }

    private double[] rounded(ToDoubleFunction<Sample> figure) {
        return list.stream()
                .mapToDouble(figure)
                .map(value -> Double.isNaN(value) ? value : Math.round(value * 100) / 100.0)
                .toArray();
    }
}
