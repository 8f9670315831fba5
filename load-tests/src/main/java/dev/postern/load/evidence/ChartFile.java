package dev.postern.load.evidence;

import de.erichseifert.vectorgraphics2d.Document;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
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
import java.util.List;
import javax.imageio.ImageIO;
import org.knowm.xchart.internal.chartpart.Chart;

/** Writes charts below each other into one image, as SVG and as PNG. */
public final class ChartFile {
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
