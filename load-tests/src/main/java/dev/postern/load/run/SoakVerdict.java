package dev.postern.load.run;

import dev.postern.load.chart.Charts;
import dev.postern.load.measure.Drift;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.measure.TheilSen;
import dev.postern.load.plan.Phase;
import dev.postern.load.plan.PhaseResult;
import dev.postern.load.plan.Phases;
import dev.postern.load.sample.Figure;
import dev.postern.load.sample.Sample;
import dev.postern.load.sample.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * Verdict of a soak: whether resources and latency stay the same after the warm-up. All figures are values of slices, the phases of equal
 * length after the warm-up, so that a disturbance of the machine for some seconds changes one slice.
 *
 * @param results of the phases, from the simulation
 */
record SoakVerdict(Phases phases, List<PhaseResult> results, Samples samples) {
    static final Goal SLOPE = Goal.lessThan(1);
    static final Goal P99_RATIO = Goal.atMost(1.1);

    /** Minimum length of the judged time for memory and latency: what a JVM does in minutes would be taken for a trend. */
    private static final int TREND_SECONDS = 20 * 60;

    private static final double HOUR = 3600;
    private static final double MB_PER_MIB = 1024 * 1024 / 1e6;

    void addTo(Table table) {
        table.note("samples of the gateway", samples.list().size());
        constant("descriptors without connections", Sample::descriptorsWithoutConnections, table);
        constant("threads", sample -> sample.of(Figure.THREADS), table);
        memory(table);
        latency(table);
    }

    private void constant(String figure, ToDoubleFunction<Sample> value, Table table) {
        double[] medians = slices(value);
        String title = figure + ", first third after the warm-up / last";
        if (unknown(medians)) {
            table.note(title, "not judged: unknown");
            return;
        }
        Drift drift = drift(medians);
        table.verdict(title, thirds(drift), "difference 0", drift.difference() == 0);
    }

    private void memory(Table table) {
        double[] medians = resident();
        String title = "RSS, slope, MB/h";
        if (unknown(medians)) {
            table.note(title, "not judged: unknown");
            return;
        }
        double slope = TheilSen.slope(middles(1), medians) * HOUR * MB_PER_MIB;
        Drift drift = drift(medians);
        table.note("RSS, MiB, first third after the warm-up / last", thirds(drift));
        trend(title, slope, SLOPE, table);
        heap(table);
    }

    /** Adds the lowest values of the heap, those after a collection: in a heap that is resident from the start, RSS shows no leak. */
    private void heap(Table table) {
        double[] lowest = slices(
                sample -> sample.of(Figure.HEAP_MIB),
                values -> Arrays.stream(values).min().orElseThrow());
        if (!unknown(lowest)) {
            table.note("heap, lowest of a slice, MiB, first third after the warm-up / last", thirds(drift(lowest)));
        }
    }

    private void latency(Table table) {
        double[] p99 = p99();
        String title = "p99, last third / first third after the warm-up";
        if (p99.length < Phases.SLICES) {
            table.verdict(title, "not measured", P99_RATIO.toString(), false);
            return;
        }
        Drift drift = drift(p99);
        table.note("p99, ms, first third after the warm-up / last", thirds(drift));
        trend(title, drift.ratio(), P99_RATIO, table);
    }

    private void trend(String title, double value, Goal goal, Table table) {
        if (phases.judged().stream().mapToInt(Phase::seconds).sum() >= TREND_SECONDS) {
            table.goal(title, value, goal);
        } else {
            String why = " (not judged: under " + TREND_SECONDS / 60 + " minutes after the warm-up)";
            table.note(title, Spread.number(value) + why);
        }
    }

    private static String thirds(Drift drift) {
        return Spread.number(drift.first()) + " / " + Spread.number(drift.last());
    }

    private static boolean unknown(double[] values) {
        return Arrays.stream(values).anyMatch(Double::isNaN);
    }

    private static Drift drift(double[] values) {
        return Drift.of(Arrays.stream(values).boxed().toList());
    }

    private double[] resident() {
        return slices(sample -> sample.of(Figure.RESIDENT_MIB));
    }

    /** Returns the p99 of each slice in milliseconds, by the clock of the client. */
    private double[] p99() {
        List<String> judged = phases.judged().stream().map(Phase::name).toList();
        return results.stream()
                .filter(result -> judged.contains(result.name()))
                .mapToDouble(result -> result.p99() / 1000.0)
                .toArray();
    }

    /** Returns the median of each slice; NaN for a slice without samples. */
    private double[] slices(ToDoubleFunction<Sample> figure) {
        return slices(figure, values -> Spread.of(values).median());
    }

    /** Returns a summary of the values of each slice; NaN for a slice without samples. */
    private double[] slices(ToDoubleFunction<Sample> figure, ToDoubleFunction<double[]> summary) {
        return phases.judged().stream()
                .mapToDouble(phase -> {
                    double[] values = samples.values(figure, phase.start(), phase.start() + phase.seconds())
                            .toArray();
                    return values.length == 0 ? Double.NaN : summary.applyAsDouble(values);
                })
                .toArray();
    }

    /** Returns the middle of each slice, in the given unit of seconds. */
    private double[] middles(double unit) {
        return phases.judged().stream()
                .mapToDouble(phase -> (phase.start() + phase.seconds() / 2.0) / unit)
                .toArray();
    }

    /** Returns the values of the slices, and all samples. */
    Map<String, Object> data() {
        Map<String, double[]> slices = new LinkedHashMap<>();
        slices.put("minutes", middles(60));
        slices.put("p99-ms", p99());
        for (Figure figure : Figure.values()) {
            double[] medians = slices(sample -> sample.of(figure));
            if (!unknown(medians)) {
                slices.put(figure.name().toLowerCase(Locale.ROOT).replace('_', '-'), medians);
            }
        }
        return Map.of("slices", slices, "samples", samples.columns());
    }

    /** Returns a chart for each figure that is known, over the minutes. */
    List<Chart<?, ?>> charts() {
        List<Chart<?, ?>> charts = new ArrayList<>();
        chart(charts, "Resident memory of the gateway", "MiB", resident());
        chart(charts, "p99 of a request with a token, by the client", "ms", p99());
        chart(
                charts,
                "Open descriptors of the gateway",
                "descriptors",
                slices(sample -> sample.of(Figure.DESCRIPTORS)));
        return charts;
    }

    private void chart(List<Chart<?, ?>> charts, String title, String unit, double[] values) {
        if (values.length < Phases.SLICES || unknown(values)) {
            return;
        }
        XYChart chart = Charts.lines(title, "minutes", unit);
        chart.getStyler().setLegendVisible(false);
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setXAxisDecimalPattern("0.#");
        chart.addSeries(title, middles(60), values);
        charts.add(chart);
    }
}
