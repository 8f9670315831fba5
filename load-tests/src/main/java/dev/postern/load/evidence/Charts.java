package dev.postern.load.evidence;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.Arrays;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Creates empty charts in the style of the project's documents; callers add series and, where needed, logarithmic axes. */
public final class Charts {
    /** Colours that readers with any colour vision can tell apart (Okabe and Ito, 2008), without the yellow. */
    private static final Color[] COLOURS = {
        new Color(0x0072B2),
        new Color(0xD55E00),
        new Color(0x009E73),
        new Color(0xCC79A7),
        new Color(0x56B4E9),
        new Color(0xE69F00),
        new Color(0x444444)
    };

    private static final Color TEXT = new Color(0x24292F);
    private static final Color GRID = new Color(0xE6E9ED);
    private static final BasicStroke THIN = new BasicStroke(1);

    private Charts() {}

    /** Returns a chart of lines over a numeric axis, without markers at the points. */
    public static XYChart lines(String title, String xAxis, String yAxis) {
        XYChart chart = new XYChartBuilder()
                .title(title)
                .xAxisTitle(xAxis)
                .yAxisTitle(yAxis)
                .build();
        style(chart.getStyler());
        chart.getStyler().setSeriesMarkers(withoutMarkers());
        return chart;
    }

    /** Returns a chart of vertical bars, one group per category. */
    public static CategoryChart bars(String title, String yAxis) {
        CategoryChart chart =
                new CategoryChartBuilder().title(title).yAxisTitle(yAxis).build();
        style(chart.getStyler());
        chart.getStyler().setAvailableSpaceFill(0.8);
        chart.getStyler().setLabelsVisible(true);
        return chart;
    }

    /** Returns the value with two decimals, because the bars are labelled with all digits. */
    public static double rounded(double value) {
        return Math.round(value * 100) / 100.0;
    }

    private static Marker[] withoutMarkers() {
        Marker[] markers = new Marker[COLOURS.length];
        Arrays.fill(markers, SeriesMarkers.NONE);
        return markers;
    }

    private static void style(AxesChartStyler styler) {
        styler.setPlotGridLinesColor(GRID);
        styler.setPlotGridLinesStroke(THIN);
        styler.setAxisTitleFont(font(Font.PLAIN, 13));
        styler.setAxisTickLabelsFont(font(Font.PLAIN, 12));
        styler.setSeriesColors(COLOURS);
        styler.setBaseFont(font(Font.PLAIN, 12));
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setChartFontColor(TEXT);
        styler.setChartTitleFont(font(Font.BOLD, 15));
        styler.setChartTitleBoxVisible(false);
        styler.setLegendFont(font(Font.PLAIN, 12));
        styler.setLegendBorderColor(Color.WHITE);
        styler.setLegendPosition(LegendPosition.OutsideS);
        styler.setLegendLayout(LegendLayout.Horizontal);
        styler.setPlotBorderVisible(false);
    }

    private static Font font(int style, int size) {
        return new Font(Font.SANS_SERIF, style, size);
    }
}
