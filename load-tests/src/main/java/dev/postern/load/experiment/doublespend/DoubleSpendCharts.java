package dev.postern.load.experiment.doublespend;

import dev.postern.load.evidence.Charts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Charts of the experiment: a distribution per rate, the two medians next to each other, and the segments. */
record DoubleSpendCharts(Results results) {
    private static final List<Variant> DRAWN =
            List.of(Variant.NAGLE, Variant.NO_DELAY, Variant.ONE_WRITE, Variant.VERSION, Variant.POOL);
    /** Milliseconds. */
    private static final double LOWEST = 0.01;

    private static final double HIGHEST = 100;

    List<Chart<?, ?>> charts() {
        List<Chart<?, ?>> charts = new ArrayList<>();
        results.rates().forEach(rate -> charts.add(distribution(rate)));
        charts.add(medians());
        charts.add(segments());
        return charts;
    }

    private XYChart distribution(int rate) {
        XYChart chart =
                Charts.lines("%,d checks per second".formatted(rate), "latency of the check, ms", "% of checks");
        chart.getStyler().setXAxisLogarithmic(true).setXAxisMin(LOWEST).setXAxisMax(HIGHEST);
        chart.getStyler().setYAxisMin(0.0).setYAxisMax(100.0);
        chart.getStyler().setLegendPosition(LegendPosition.OutsideE).setLegendLayout(LegendLayout.Vertical);
        List<Round> rounds = results.at(rate);
        for (Variant variant : DRAWN) {
            add(chart, variant.label(), Distribution.of(rounds, variant));
        }
        for (String client : Results.CLIENTS) {
            add(chart, gateway(client), Distribution.of(rounds, client));
        }
        return chart;
    }

    private static void add(XYChart chart, String label, Distribution distribution) {
        chart.addSeries(label, distribution.millis(), distribution.percent());
    }

    private CategoryChart medians() {
        CategoryChart chart = Charts.bars("Median of the check before and after", "ms");
        chart.getStyler().setYAxisLogarithmic(true).setYAxisMin(LOWEST).setYAxisMax(HIGHEST);
        add(chart, "before: three writes, Nagle", round -> round.micros(Variant.NAGLE) / 1e3);
        add(chart, "after: one write", round -> round.micros(Variant.ONE_WRITE) / 1e3);
        return chart;
    }

    private CategoryChart segments() {
        CategoryChart chart = Charts.bars("Packets from client to memcached", "segments with data per check");
        for (Variant variant : List.of(Variant.NAGLE, Variant.NO_DELAY, Variant.ONE_WRITE)) {
            add(chart, variant.label(), round -> round.of(variant).segmentsEach());
        }
        for (String client : Results.CLIENTS) {
            add(chart, gateway(client), round -> round.of(client).segmentsEach());
        }
        return chart;
    }

    private void add(CategoryChart chart, String label, ToDoubleFunction<Round> figure) {
        List<Integer> rates = results.rates();
        chart.addSeries(
                label,
                rates.stream().map("%,d checks/s"::formatted).toList(),
                rates.stream()
                        .map(rate -> Charts.rounded(results.spread(rate, figure).median()))
                        .toList());
    }

    private static String gateway(String client) {
        return "gateway, " + client;
    }
}
