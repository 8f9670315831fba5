package dev.postern.load.run;

import dev.postern.load.evidence.Charts;
import dev.postern.load.measure.Drift;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.plan.Phases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * Verdict of a soak: whether resources and latency stay the same after the warm-up. All figures are values of slices, so that a disturbance
 * of the machine for some seconds changes one slice.
 */
record SoakVerdict(SoakSlices slices) {
    static final Goal SLOPE = Goal.lessThan(1);
    static final Goal P99_RATIO = Goal.atMost(1.1);

    /** Minimum length of the judged time for memory and latency: what a JVM does in minutes would be taken for a trend. */
    private static final int TREND_SECONDS = 20 * 60;

    private static final double MB_PER_MIB = 1024 * 1024 / 1e6;

    void addTo(Table table) {
        table.note("samples of the gateway", slices.samples().list().size());
        constant("descriptors without connections", Sample::descriptorsWithoutConnections, table);
        constant("threads", sample -> sample.of(Figure.THREADS), table);
        memory(table);
        latency(table);
    }

    private void constant(String figure, ToDoubleFunction<Sample> value, Table table) {
        double[] medians = slices.medians(value);
        String title = figure + ", first third after the warm-up / last";
        if (SoakSlices.unknown(medians)) {
            table.note(title, "not judged: unknown");
            return;
        }
        Drift drift = SoakSlices.drift(medians);
        table.verdict(title, thirds(drift), "difference 0", drift.difference() == 0);
    }

    /**
     * Adds the slope of the lowest RSS of each slice. What a JIT compiler takes for a method, up to 25 MiB for seconds, is no leak, and would
     * hide one in a median; a leak raises the lowest value too.
     */
    private void memory(Table table) {
        double[] lowest = slices.lowest(Figure.RESIDENT_MIB);
        String title = "RSS, slope, MB/h";
        if (SoakSlices.unknown(lowest)) {
            table.note(title, "not judged: unknown");
            return;
        }
        table.note("RSS, MiB, first third after the warm-up / last", thirds(SoakSlices.drift(lowest)));
        trend(title, megabytesPerHour(lowest), SLOPE, table);
        nonHeap(table);
        heap(table);
    }

    private double megabytesPerHour(double[] values) {
        return slices.perHour(values) * MB_PER_MIB;
    }

    /** Adds the slope of what JIT compilers and class loading add, a part of that of RSS. */
    private void nonHeap(Table table) {
        double[] medians = slices.medians(Figure.NON_HEAP_MIB);
        if (!SoakSlices.unknown(medians)) {
            table.note(
                    "compiled code, classes and profiles of methods, slope, MB/h",
                    Spread.number(megabytesPerHour(medians)));
        }
    }

    /**
     * Adds the lowest values of the heap, those after a collection: in a heap that is resident from the start, RSS shows no leak. Not each
     * slice has a collection.
     */
    private void heap(Table table) {
        double[] lowest = slices.lowest(Figure.HEAP_MIB);
        if (!SoakSlices.unknown(lowest)) {
            int third = lowest.length / 3;
            double first = Arrays.stream(lowest, 0, third).min().orElseThrow();
            double last = Arrays.stream(lowest, lowest.length - third, lowest.length)
                    .min()
                    .orElseThrow();
            table.note("heap, lowest, MiB, first third after the warm-up / last", thirds(new Drift(first, last)));
        }
    }

    private void latency(Table table) {
        double[] p99 = slices.p99();
        String title = "p99, last third / first third after the warm-up";
        if (p99.length < Phases.SLICES) {
            table.verdict(title, "not measured", P99_RATIO.toString(), false);
            return;
        }
        Drift drift = SoakSlices.drift(p99);
        table.note("p99, ms, first third after the warm-up / last", thirds(drift));
        trend(title, drift.ratio(), P99_RATIO, table);
    }

    private void trend(String title, double value, Goal goal, Table table) {
        if (slices.seconds() >= TREND_SECONDS) {
            table.goal(title, value, goal);
        } else {
            String why = " (not judged: under " + TREND_SECONDS / 60 + " minutes after the warm-up)";
            table.note(title, Spread.number(value) + why);
        }
    }

    private static String thirds(Drift drift) {
        return Spread.number(drift.first()) + " / " + Spread.number(drift.last());
    }

    /** Returns a chart for each figure that is known, over the minutes. */
    List<Chart<?, ?>> charts() {
        List<Chart<?, ?>> charts = new ArrayList<>();
        chart(charts, "Resident memory of the gateway, lowest", "MiB", slices.lowest(Figure.RESIDENT_MIB));
        chart(charts, "p99 of a request with a token, by the client", "ms", slices.p99());
        chart(charts, "Open descriptors of the gateway", "descriptors", slices.medians(Figure.DESCRIPTORS));
        return charts;
    }

    private void chart(List<Chart<?, ?>> charts, String title, String unit, double[] values) {
        if (values.length < Phases.SLICES || SoakSlices.unknown(values)) {
            return;
        }
        XYChart chart = Charts.lines(title, "minutes", unit);
        chart.getStyler().setLegendVisible(false);
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setXAxisDecimalPattern("0.#");
        chart.addSeries(title, slices.minutes(), values);
        charts.add(chart);
    }
}
