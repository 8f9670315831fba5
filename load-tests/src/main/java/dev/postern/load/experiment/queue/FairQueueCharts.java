package dev.postern.load.experiment.queue;

import dev.postern.load.evidence.Charts;
import dev.postern.load.experiment.queue.Room.Load;
import dev.postern.load.experiment.queue.Sessions.Point;
import java.awt.BasicStroke;
import java.util.List;
import java.util.stream.IntStream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Fair queue charts: responses, whole pages, the order of admission, and the sessions at the origin over time. */
record FairQueueCharts(Results results) {
    private static final int MARKER = 4;
    private static final BasicStroke DASHED =
            new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[] {8, 6}, 0);

    List<Chart<?, ?>> charts() {
        return List.of(responses(), pages(), order(), sessions());
    }

    private CategoryChart responses() {
        List<Served> all = results.impatient();
        CategoryChart chart = bars("Impatient clients: responses 200 and others", "responses");
        List<String> titles = all.stream()
                .map(served -> "%s: %,d".formatted(served.variant().title(), served.byOrigin()))
                .toList();
        chart.addSeries("200", titles, all.stream().map(Served::byOrigin).toList());
        chart.addSeries(
                "other",
                titles,
                all.stream().map(served -> served.all() - served.byOrigin()).toList());
        return chart;
    }

    private CategoryChart pages() {
        List<PageCount> all = results.pages();
        CategoryChart chart = bars("Browsers: whole pages and others", "pages");
        List<String> titles = all.stream()
                .map(pages -> "%s: %d".formatted(pages.variant().title(), pages.whole()))
                .toList();
        chart.addSeries("whole", titles, all.stream().map(PageCount::whole).toList());
        chart.addSeries(
                "not whole",
                titles,
                all.stream().map(pages -> pages.all() - pages.whole()).toList());
        return chart;
    }

    /** Returns a chart without numbers in the bars, since these do not fit into the short ones. */
    private static CategoryChart bars(String title, String yAxis) {
        CategoryChart chart = Charts.bars(title, yAxis);
        chart.getStyler().setLabelsVisible(false);
        return chart;
    }

    private XYChart order() {
        XYChart chart = Charts.lines(
                "Order of admission", "number of the visitor, by admission", "number of the visitor, by arrival");
        chart.getStyler().setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
        chart.getStyler().setMarkerSize(MARKER);
        for (Admissions admissions : results.admissions()) {
            double[] ranks = IntStream.range(0, admissions.order().size())
                    .asDoubleStream()
                    .toArray();
            double[] arrivals = admissions.order().stream()
                    .mapToDouble(Integer::doubleValue)
                    .toArray();
            if (ranks.length > 0) {
                chart.addSeries(admissions.variant().title(), ranks, arrivals).setMarker(SeriesMarkers.CIRCLE);
            }
        }
        return chart;
    }

    private XYChart sessions() {
        XYChart chart = Charts.lines("Polite clients: admitted sessions at the origin", "seconds", "sessions");
        chart.getStyler().setDefaultSeriesRenderStyle(XYSeriesRenderStyle.Step);
        chart.getStyler().setYAxisMin(0.0);
        chart.getStyler().setYAxisMax(Room.ACTIVE + 2.0);
        double end = 0;
        for (Variant variant : Variant.queues()) {
            List<Point> points =
                    results.sessions(new Room(Load.POLITE, variant)).points();
            if (!points.isEmpty()) {
                chart.addSeries(
                        variant.title(),
                        points.stream().map(Point::second).toList(),
                        points.stream().map(Point::active).toList());
                end = Math.max(end, points.get(points.size() - 1).second());
            }
        }
        XYSeries bound = chart.addSeries("bound", new double[] {0, end}, new double[] {Room.ACTIVE, Room.ACTIVE});
        bound.setLineStyle(DASHED);
        return chart;
    }
}
