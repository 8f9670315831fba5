package dev.postern.load.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Machine;
import dev.postern.load.measure.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.internal.chartpart.Chart;
import org.w3c.dom.NodeList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class EvidenceTest {
    private static final String SVG = "http://www.w3.org/2000/svg";
    private static final Machine MACHINE = new Machine("AMD EPYC", 2, "6.1", "17.0.1");

    @TempDir
    Path folder;

    @Test
    void writesTableDataAndCharts() throws Exception {
        Table table = new Table().goal("ratio", 0.9, Goal.atMost(1.1)).note("rate", "500/s");
        Evidence evidence = new Evidence(
                "sample", "load-tests/experiments/sample", table, Map.of("rates", List.of(20, 500)), charts());

        int status = evidence.publish(folder, LocalDate.of(2026, 11, 25), MACHINE);

        assertThat(status).isZero();
        assertThat(folder.resolve("sample-table.md"))
                .content()
                .startsWith("Command: `load-tests/experiments/sample`. Machine: AMD EPYC, 2 cores, kernel 6.1,"
                        + " Java 17.0.1. Date: 2026-11-25.\n\n| figure")
                .contains("| ratio  | 0.90  | <= 1.10 | MET");
        JsonNode json = JsonMapper.shared().readTree(Files.readString(folder.resolve("sample.json")));
        assertThat(json.at("/machine/cores").asInt()).isEqualTo(2);
        assertThat(json.at("/figures/0/verdict").asString()).isEqualTo("MET");
        assertThat(json.at("/rates/1").asInt()).isEqualTo(500);
    }

    @Test
    void drawsOneChartBelowTheOther() throws Exception {
        new Evidence("sample", "sample", new Table(), Map.of(), charts())
                .publish(folder, LocalDate.of(2026, 11, 25), MACHINE);

        assertThat(elements(folder.resolve("sample.svg")))
                .hasSizeGreaterThan(20)
                .allMatch(SVG::equals);
        assertThat(folder.resolve("sample.svg")).content().doesNotContainPattern("\\.\\d{3}");
        assertThat(ImageIO.read(folder.resolve("sample.png").toFile()).getHeight())
                .isEqualTo(2 * 420);
    }

    @Test
    void endsWithStatusOneIfAGoalIsMissed() {
        Table table = new Table().goal("ratio", 1.2, Goal.atMost(1.1));

        assertThat(new Evidence("sample", "sample", table, Map.of(), charts())
                        .publish(folder, LocalDate.of(2026, 11, 25), MACHINE))
                .isEqualTo(1);
    }

    /** Returns the namespace of each element: browsers draw only those of SVG. */
    private static List<String> elements(Path file) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setNamespaceAware(true);
        // The document names the DTD of SVG 1.1, which is not loaded.
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        NodeList nodes = factory.newDocumentBuilder().parse(file.toFile()).getElementsByTagName("*");
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> String.valueOf(nodes.item(i).getNamespaceURI()))
                .toList();
    }

    private static List<Chart<?, ?>> charts() {
        XYChart lines = Charts.lines("Latency", "rate, 1/s", "ms");
        lines.addSeries("one write", new double[] {20, 500, 5000}, new double[] {0.2, 0.3, 0.4});
        lines.addSeries("three writes", new double[] {20, 500, 5000}, new double[] {40, 41, 44});
        lines.getStyler().setXAxisLogarithmic(true);
        lines.getStyler().setYAxisLogarithmic(true);
        CategoryChart bars = Charts.bars("Rate", "requests/s");
        bars.addSeries("gateway", List.of("1", "64"), List.of(20.0, 30.0));
        bars.addSeries("nginx", List.of("1", "64"), List.of(21.0, 29.0));
        return List.of(lines, bars);
    }
}
