package dev.postern.load.experiment.order;

import dev.postern.load.evidence.Charts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Charts of the steps: round trips, throughput, threads and memory. */
record StepCharts(StepTable steps) {
    private static final double MEBIBYTE = 1024 * 1024;
    private static final List<Double> POSITIONS =
            IntStream.range(0, Cycle.PLAN.size()).mapToObj(Double::valueOf).toList();
    private static final List<String> LABELS = List.of("1", "10", "1,000", "10 again");

    List<Chart<?, ?>> all() {
        List<Chart<?, ?>> charts = new ArrayList<>();
        for (List<Kind> kinds : List.of(List.of(Kind.HTTP), List.of(Kind.TCP, Kind.UDP))) {
            List<Kind> measured = kinds.stream().filter(steps.kinds()::contains).toList();
            if (!measured.isEmpty()) {
                charts.add(trips(measured));
                charts.add(throughput(measured));
            }
        }
        charts.add(state());
        return charts;
    }

    private static String open(List<Kind> kinds) {
        return kinds.contains(Kind.HTTP) ? "HTTP connections" : "tunnels";
    }

    private XYChart trips(List<Kind> kinds) {
        XYChart chart = Charts.lines(
                "Round trip while " + open(kinds) + " come and go", "open " + open(kinds), "median round trip, us");
        for (Kind kind : kinds) {
            for (String proxy : StepTable.proxies(kind)) {
                add(
                        chart,
                        name(kinds, kind, proxy),
                        steps.medians(kind, step -> step.of(proxy).p50()));
            }
        }
        withStepsBelow(chart);
        return chart;
    }

    private CategoryChart throughput(List<Kind> kinds) {
        CategoryChart chart = Charts.bars(
                "Messages per second, 8 at once on a flow, over open " + open(kinds), "thousand per second");
        chart.getStyler().setYAxisDecimalPattern("0");
        for (Kind kind : kinds) {
            for (String proxy : StepTable.proxies(kind)) {
                chart.addSeries(
                        name(kinds, kind, proxy),
                        LABELS,
                        steps.medians(
                                kind, step -> Math.rint(step.of(proxy).stream().perSecond() / 100) / 10));
            }
        }
        return chart;
    }

    private XYChart state() {
        XYChart chart = Charts.lines("Gateway after each step", "open connections or tunnels", "MiB, or threads");
        for (Kind kind : steps.kinds()) {
            addState(chart, kind, "live heap", step -> step.state().liveHeap() / MEBIBYTE);
            addState(chart, kind, "direct", step -> step.state().direct() / MEBIBYTE);
        }
        addState(chart, steps.kinds().get(0), "threads", step -> step.state().threads());
        withStepsBelow(chart);
        return chart;
    }

    private void addState(XYChart chart, Kind kind, String figure, ToDoubleFunction<Step> value) {
        add(chart, figure.equals("threads") ? figure : kind + " " + figure, steps.medians(kind, value));
    }

    private static void add(XYChart chart, String name, List<Double> values) {
        chart.addSeries(name, POSITIONS, values).setMarker(SeriesMarkers.CIRCLE);
    }

    private static String name(List<Kind> kinds, Kind kind, String proxy) {
        return kinds.size() == 1 ? proxy : kind + ", " + proxy;
    }

    private static void withStepsBelow(XYChart chart) {
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setXAxisMaxLabelCount(LABELS.size());
        chart.setCustomXAxisTickLabelsFormatter(
                position -> position == Math.rint(position) ? LABELS.get(position.intValue()) : "");
    }
}
