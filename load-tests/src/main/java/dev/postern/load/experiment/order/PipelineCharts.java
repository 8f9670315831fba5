package dev.postern.load.experiment.order;

import dev.postern.load.evidence.Charts;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.internal.chartpart.Chart;

/** Charts of the pipelined requests. */
record PipelineCharts(PipelineTable table) {
    List<Chart<?, ?>> all() {
        return List.of(slow(), tokens());
    }

    private CategoryChart slow() {
        PipelineSettings settings = table.settings();
        CategoryChart chart = Charts.bars(
                "%d pipelined requests to an origin that takes %d ms for each"
                        .formatted(settings.atOnce(), settings.delay().toMillis()),
                "s until the last response");
        chart.getStyler().setLegendVisible(false);
        List<String> names = Stream.concat(
                        Variant.ALL.stream()
                                .filter(variant -> variant.equals(variant.onOneCore()))
                                .map(Variant::toString),
                        Kind.HTTP.peers().stream())
                .toList();
        chart.addSeries(
                "seconds",
                names.stream().map(PipelineCharts::label).toList(),
                names.stream()
                        .map(name -> Charts.rounded(table.median(round -> PipelineTable.of(round.slow(), name)
                                .throughput()
                                .seconds())))
                        .toList());
        return chart;
    }

    private static String label(String name) {
        return name.startsWith("depth") ? "gateway, " + name.split(",")[0] : name;
    }

    private CategoryChart tokens() {
        CategoryChart chart = Charts.bars("Requests with tokens of type 1 over one connection", "requests per second");
        for (boolean two : List.of(false, true)) {
            Function<Variant, Variant> cores = variant -> two ? variant : variant.onOneCore();
            List<Double> values = new ArrayList<>();
            for (Variant variant : List.of(Variant.ONE_BY_ONE_ON_ALL, Variant.CONCURRENT_ON_ALL)) {
                Variant on = cores.apply(variant);
                values.add(Math.rint(table.median(round ->
                        PipelineTable.of(round.tokens(), on).throughput().perSecond())));
            }
            Variant on = cores.apply(Variant.CONCURRENT_ON_ALL);
            values.add(Math.rint(table.median(round -> PipelineTable.of(round.streams(), on))));
            chart.addSeries(
                    two ? "two cores" : "one core",
                    List.of("HTTP/1.1, depth 1", "HTTP/1.1, depth 8", "HTTP/2, 16 streams"),
                    values);
        }
        return chart;
    }
}
