package dev.postern.load.plot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class RatioPlotTest {
    private static final Bar HALF = new Bar("small", "nginx", new Interval(0.5, 0.4, 0.6), Goal.atMost(0.95));
    private static final Bar WHOLE = new Bar("small", "relay", new Interval(1, 0.9, 1.1), Goal.lessThan(1));
    private static final Bar OTHER = new Bar("large", "vertx & <co>", new Interval(0.25, 0.2, 0.3), null);

    @Test
    void drawsBarsAsLongAsTheirRatios() throws Exception {
        List<Double> lengths = bars(plot(HALF, WHOLE, OTHER));

        assertThat(lengths).hasSize(3);
        assertThat(lengths.get(0) / lengths.get(1)).isCloseTo(0.5, within(0.01));
        assertThat(lengths.get(2) / lengths.get(1)).isCloseTo(0.25, within(0.01));
    }

    @Test
    void writesFigureGoalAndVerdictAsText() throws Exception {
        assertThat(texts(plot(HALF, WHOLE, OTHER)))
                .contains("0.50 [0.40..0.60]  <= 0.95  MET", "1.00 [0.90..1.10]  < 1.00  MISSED", "0.25 [0.20..0.30]");
    }

    @Test
    void namesAGroupOnceAboveItsBars() throws Exception {
        assertThat(texts(plot(HALF, WHOLE, OTHER))).containsOnlyOnce("small", "large");
    }

    @Test
    void escapesNames() throws Exception {
        assertThat(texts(plot(OTHER))).contains("vertx & <co>");
    }

    @Test
    void keepsTheLongestIntervalInsideTheScale() throws Exception {
        Document plot = plot(WHOLE, new Bar("small", "far", new Interval(3, 2, 4.5), null));

        assertThat(bars(plot)).allSatisfy(length -> assertThat(length).isLessThan(400 * 3 / 4.4));
    }

    @Test
    void marksItsScaleWithFewNumbersHoweverLongItIs() throws Exception {
        assertThat(marks(plot(WHOLE))).containsExactly(0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2);
        assertThat(marks(plot(new Bar("small", "far", new Interval(13, 12, 14.3), null))))
                .hasSizeLessThan(11)
                .last()
                .satisfies(last -> assertThat(last).isGreaterThan(14.3));
    }

    private static List<Double> marks(Document plot) throws Exception {
        return texts(plot).stream()
                .filter(text -> text.matches("\\d+\\.\\d"))
                .map(Double::valueOf)
                .toList();
    }

    private static Document plot(Bar... bars) throws Exception {
        String svg = RatioPlot.svg("CPU", "less is better", List.of(bars));
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(UTF_8)));
    }

    /** All rectangles but the background. */
    private static List<Double> bars(Document plot) {
        List<Double> lengths = new ArrayList<>();
        NodeList rectangles = plot.getElementsByTagName("rect");
        for (int i = 1; i < rectangles.getLength(); i++) {
            lengths.add(Double.parseDouble(((Element) rectangles.item(i)).getAttribute("width")));
        }
        return lengths;
    }

    private static List<String> texts(Document plot) {
        List<String> texts = new ArrayList<>();
        NodeList elements = plot.getElementsByTagName("text");
        for (int i = 0; i < elements.getLength(); i++) {
            texts.add(elements.item(i).getTextContent());
        }
        return texts;
    }
}
