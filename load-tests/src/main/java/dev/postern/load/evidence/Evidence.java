package dev.postern.load.evidence;

import de.erichseifert.vectorgraphics2d.Document;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import dev.postern.load.measure.Machine;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.knowm.xchart.internal.chartpart.Chart;
import picocli.CommandLine.Model.CommandSpec;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Evidence of an experiment: the table of its figures with goals and verdicts, the values behind the charts, and the
 * charts.
 *
 * @param name name of the command in {@code load-tests/experiments} and of the page in {@code docs/evidence}
 * @param command the command with the options of this run
 * @param data values of the run that Jackson can write, by name; records, lists and maps
 */
public record Evidence(
        String name, String command, Table table, Map<String, ?> data, List<? extends Chart<?, ?>> charts) {
    public static final Path FOLDER = Path.of("load-tests", "target", "experiments");

    /** Returns the evidence of the experiment that picocli has called, with the options that it was called with. */
    public static Evidence of(CommandSpec spec, Table table, Map<String, ?> data, List<? extends Chart<?, ?>> charts) {
        String arguments = String.join(" ", spec.commandLine().getParseResult().originalArgs());
        return new Evidence(spec.name(), "load-tests/experiments/" + arguments, table, data, charts);
    }

    /**
     * Writes {@code NAME.json}, {@code NAME-table.md}, {@code NAME.svg} and {@code NAME.png}, and prints the table.
     *
     * @return the exit status: 0 if every goal is met, otherwise 1
     */
    public int publish() {
        return publish(FOLDER, LocalDate.now(), Machine.current());
    }

    /** Writes the same files into this folder, and prints nothing. */
    public void write(Path folder) {
        write(folder, LocalDate.now(), Machine.current());
    }

    int publish(Path folder, LocalDate date, Machine machine) {
        System.out.println(write(folder, date, machine));
        Progress.say("written: " + folder.resolve(name) + ".json, .svg, .png and " + name + "-table.md");
        return table.status();
    }

    private String write(Path folder, LocalDate date, Machine machine) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("command", command);
        json.put("date", date.toString());
        json.put("machine", machine);
        json.put("figures", table.rows());
        json.putAll(data);
        String head = "Command: `" + command + "`. Machine: " + machine + ". Date: " + date + ".\n\n";
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(name + "-table.md"), head + table);
            JsonMapper mapper = JsonMapper.builder()
                    .enable(SerializationFeature.INDENT_OUTPUT)
                    .build();
            Files.writeString(folder.resolve(name + ".json"), mapper.writeValueAsString(json) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(folder.resolve(name) + ": can't be written", e);
        }
        ChartFile.write(folder, name, charts);
        return head + table;
    }

    /** Writes charts below each other into one image, as SVG and as PNG. */
    private static final class ChartFile {
        private static final int WIDTH = 920;
        private static final int HEIGHT = 420;

        private ChartFile() {}

        /** Writes {@code NAME.svg} and {@code NAME.png} into the folder. */
        public static void write(Path folder, String name, List<? extends Chart<?, ?>> charts) {
            try {
                svg(folder.resolve(name + ".svg"), charts);
                png(folder.resolve(name + ".png"), charts);
            } catch (IOException e) {
                throw new UncheckedIOException(folder.resolve(name) + ": can't be written", e);
            }
        }

        private static void svg(Path file, List<? extends Chart<?, ?>> charts) throws IOException {
            VectorGraphics2D graphics = new VectorGraphics2D();
            paint(graphics, charts);
            PageSize size = new PageSize(0, 0, WIDTH, (double) HEIGHT * charts.size());
            Document document = new SVGProcessor().getDocument(graphics.getCommands(), size);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            document.writeTo(bytes);
            // The library takes the elements out of the namespace of SVG again, and browsers then do not draw them.
            String text = bytes.toString(StandardCharsets.UTF_8).replace(" xmlns=\"\"", "");
            // It draws letters as paths with up to 15 decimals; two are finer than any screen.
            Files.writeString(file, text.replaceAll("(\\.\\d\\d)\\d+", "$1"));
        }

        private static void png(Path file, List<? extends Chart<?, ?>> charts) throws IOException {
            BufferedImage image = new BufferedImage(WIDTH, HEIGHT * charts.size(), BufferedImage.TYPE_INT_RGB);
            Graphics2D graphics = image.createGraphics();
            graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            paint(graphics, charts);
            graphics.dispose();
            ImageIO.write(image, "png", file.toFile());
        }

        private static void paint(Graphics2D graphics, List<? extends Chart<?, ?>> charts) {
            graphics.setColor(Color.WHITE);
            graphics.fillRect(0, 0, WIDTH, HEIGHT * charts.size());
            AffineTransform origin = graphics.getTransform();
            for (int i = 0; i < charts.size(); i++) {
                graphics.setTransform(origin);
                graphics.translate(0, i * HEIGHT);
                charts.get(i).paint(graphics, WIDTH, HEIGHT);
            }
        }
    }
}
