package dev.postern.load.experiment.keepalive;

import dev.postern.load.chart.Charts;
import dev.postern.load.proxies.Turn;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.CategoryChart;

/** Charts of the experiment: throughput, CPU time and latency of all variants. */
record KeepAliveCharts(Measured measured) {
    private static final int SLANT = 20;
    private static final int MICROS_PER_MILLI = 1_000;

    List<CategoryChart> all() {
        return List.of(throughput(), cpu(), latency());
    }

    private CategoryChart throughput() {
        CategoryChart chart = chart("Requests per second, 64 connections", "requests/s");
        add(chart, "median of the rounds", Turn::perSecond);
        chart.getStyler().setDecimalPattern("#,##0");
        return chart;
    }

    private CategoryChart cpu() {
        CategoryChart chart =
                chart("CPU time of the proxy per request; line: the relay that only moves bytes", "us (logarithmic)");
        add(chart, "median of the rounds", Turn::cpuMicros);
        double relay = measured.rounds().of(Variant.RELAY, Turn::cpuMicros).median();
        chart.addAnnotation(new AnnotationLine(relay, false, false));
        chart.getStyler().setDecimalPattern("#,##0.0");
        return logarithmic(chart);
    }

    private CategoryChart latency() {
        CategoryChart chart = chart("Latency, closed loop of 64 connections", "ms (logarithmic)");
        add(chart, "p50", turn -> turn.typical() / MICROS_PER_MILLI);
        add(chart, "p99", turn -> turn.tail() / MICROS_PER_MILLI);
        chart.getStyler().setDecimalPattern("#,##0.0");
        return logarithmic(chart);
    }

    private static CategoryChart chart(String title, String yAxis) {
        CategoryChart chart = Charts.bars(title, yAxis);
        chart.getStyler().setXAxisLabelRotation(SLANT);
        return chart;
    }

    private static CategoryChart logarithmic(CategoryChart chart) {
        chart.getStyler().setYAxisLogarithmic(true);
        return chart;
    }

    private void add(CategoryChart chart, String series, ToDoubleFunction<Turn> figure) {
        List<String> names = measured.names();
        chart.addSeries(
                series,
                names,
                names.stream()
                        .map(name -> measured.rounds().of(name, figure).median())
                        .toList());
    }
}
