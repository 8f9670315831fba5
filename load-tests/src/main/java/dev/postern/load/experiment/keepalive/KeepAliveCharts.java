package dev.postern.load.experiment.keepalive;

import dev.postern.load.evidence.Charts;
import dev.postern.load.measure.Spread;
import dev.postern.load.proxies.Turn;
import java.awt.BasicStroke;
import java.awt.Color;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.AnnotationLine;
import org.knowm.xchart.CategoryChart;

/** Charts of the experiment: throughput, CPU time and latency of all variants, medians of the rounds. */
record KeepAliveCharts(Measured measured) {
    private static final int SLANT = 30;
    private static final double LABELS = 0.35;
    private static final int MICROS_PER_MILLI = 1_000;
    private static final Color RELAY_LINE = new Color(0xD55E00);

    List<CategoryChart> all() {
        return List.of(throughput(), cpu(), latency());
    }

    private CategoryChart throughput() {
        CategoryChart chart = chart("Throughput", "requests/s");
        add(chart, "requests/s", Turn::perSecond, measured.names());
        chart.getStyler().setDecimalPattern("#,##0").setLegendVisible(false);
        return chart;
    }

    /** Leaves out the interpreted gateway, beside which all others would look alike. */
    private CategoryChart cpu() {
        String interpreted = Spread.number(median(Variant.INTERPRETED, Turn::cpuMicros));
        CategoryChart chart = chart(
                "CPU time per request; line: relay that only moves bytes; not drawn: interpreted, " + interpreted
                        + " us",
                "us");
        List<String> drawn = measured.names().stream()
                .filter(Predicate.not(Variant.INTERPRETED::equals))
                .toList();
        add(chart, "CPU", Turn::cpuMicros, drawn);
        chart.addAnnotation(new AnnotationLine(median(Variant.RELAY, Turn::cpuMicros), false, false));
        // Below the line in most bars.
        chart.getStyler().setLabelsPosition(LABELS);
        chart.getStyler()
                .setAnnotationLineColor(RELAY_LINE)
                .setAnnotationLineStroke(new BasicStroke(2))
                .setDecimalPattern("#,##0.0")
                .setLegendVisible(false);
        return chart;
    }

    private CategoryChart latency() {
        CategoryChart chart = chart("Latency, closed loop", "ms, logarithmic");
        add(chart, "p50", turn -> turn.typical() / MICROS_PER_MILLI, measured.names());
        add(chart, "p99", turn -> turn.tail() / MICROS_PER_MILLI, measured.names());
        chart.getStyler().setDecimalPattern("#,##0.0");
        logarithmic(chart);
        return chart;
    }

    private static CategoryChart chart(String title, String yAxis) {
        CategoryChart chart = Charts.bars(title, yAxis);
        chart.getStyler().setXAxisLabelRotation(SLANT);
        return chart;
    }

    /** Bars would otherwise begin at zero, which a logarithmic axis does not have. */
    private static void logarithmic(CategoryChart chart) {
        double smallest = chart.getSeriesMap().values().stream()
                .flatMap(series -> series.getYData().stream())
                .mapToDouble(Number::doubleValue)
                .min()
                .orElseThrow();
        chart.getStyler().setYAxisLogarithmic(true);
        chart.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(smallest))));
    }

    private void add(CategoryChart chart, String series, ToDoubleFunction<Turn> figure, List<String> names) {
        chart.addSeries(
                series, names, names.stream().map(name -> median(name, figure)).toList());
    }

    private double median(String name, ToDoubleFunction<Turn> figure) {
        return measured.rounds().of(name, figure).median();
    }
}
