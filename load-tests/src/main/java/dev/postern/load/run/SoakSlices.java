package dev.postern.load.run;

import dev.postern.load.measure.Drift;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.TheilSen;
import dev.postern.load.plan.Phase;
import dev.postern.load.plan.PhaseResult;
import dev.postern.load.plan.Phases;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Slices of a soak, its phases of equal length after the warm-up, with a value for each figure. A slice without samples has NaN.
 *
 * @param results of the phases, from the simulation
 */
record SoakSlices(Phases phases, List<PhaseResult> results, Samples samples) {
    private static final double HOUR = 3600;

    static boolean unknown(double[] values) {
        return Arrays.stream(values).anyMatch(Double::isNaN);
    }

    static Drift drift(double[] values) {
        return Drift.of(Arrays.stream(values).boxed().toList());
    }

    double[] medians(Figure figure) {
        return medians(sample -> sample.of(figure));
    }

    double[] medians(ToDoubleFunction<Sample> figure) {
        return values(figure, values -> Spread.of(values).median());
    }

    double[] lowest(Figure figure) {
        return values(
                sample -> sample.of(figure),
                values -> Arrays.stream(values).min().orElseThrow());
    }

    private double[] values(ToDoubleFunction<Sample> figure, ToDoubleFunction<double[]> summary) {
        return phases.judged().stream()
                .mapToDouble(phase -> {
                    double[] values = samples.values(figure, phase.start(), phase.start() + phase.seconds())
                            .toArray();
                    return values.length == 0 ? Double.NaN : summary.applyAsDouble(values);
                })
                .toArray();
    }

    /** Returns the p99 of each slice in milliseconds, by the clock of the client. */
    double[] p99() {
        List<String> judged = phases.judged().stream().map(Phase::name).toList();
        return results.stream()
                .filter(result -> judged.contains(result.name()))
                .mapToDouble(result -> result.p99() / 1000.0)
                .toArray();
    }

    /** Returns the slope by Theil and Sen, in the unit of the values per hour. */
    double perHour(double[] values) {
        return TheilSen.slope(middles(1), values) * HOUR;
    }

    /** Returns the middles of the slices in minutes. */
    double[] minutes() {
        return middles(60);
    }

    private double[] middles(double unit) {
        return phases.judged().stream()
                .mapToDouble(phase -> (phase.start() + phase.seconds() / 2.0) / unit)
                .toArray();
    }

    /** Returns the length of all slices together. */
    int seconds() {
        return phases.judged().stream().mapToInt(Phase::seconds).sum();
    }

    /** Returns the values of the slices, and all samples. */
    Map<String, Object> data() {
        Map<String, double[]> slices = new LinkedHashMap<>();
        slices.put("minutes", minutes());
        slices.put("p99-ms", p99());
        for (Figure figure : Figure.values()) {
            double[] medians = medians(figure);
            if (!unknown(medians)) {
                slices.put(figure.name().toLowerCase(Locale.ROOT).replace('_', '-'), medians);
            }
        }
        return Map.of("slices", slices, "samples", samples.columns());
    }
}
