package dev.postern.load.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Scrape of one counter of a Prometheus page: the sum of all its series with a label. */
public final class CounterScrape {
    private CounterScrape() {}

    /**
     * Reads {@code /metrics} of an admin address.
     *
     * @param label as it stands on the page, such as {@code decision="held"}
     */
    public static double read(int adminPort, String counter, String label) {
        try (var in =
                URI.create("http://127.0.0.1:" + adminPort + "/metrics").toURL().openStream()) {
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8), counter, label);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static double parse(String page, String counter, String label) {
        return page.lines()
                .filter(line -> line.startsWith(counter + "{"))
                .filter(line -> line.substring(0, line.lastIndexOf('}')).matches(".*[{,]" + label + "(,.*)?"))
                .mapToDouble(line -> Double.parseDouble(
                        line.substring(line.lastIndexOf('}') + 1).trim().split(" ")[0]))
                .sum();
    }
}
