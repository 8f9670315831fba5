package dev.postern.load.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * Page of Prometheus' text format.
 *
 * @param series a line each, without comments
 */
public record MetricsPage(List<String> series) {
    private static final int MILLIS = 5_000;

    /** Reads the page of an admin address of this machine. */
    public static MetricsPage read(int adminPort) {
        return read(URI.create("http://127.0.0.1:" + adminPort + "/metrics"));
    }

    /** Reads the page at an address over a connection that ends with it, such as {@code http://127.0.0.1:9180/metrics}. */
    public static MetricsPage read(URI address) {
        try {
            var connection = address.toURL().openConnection();
            connection.setConnectTimeout(MILLIS);
            connection.setReadTimeout(MILLIS);
            connection.setRequestProperty("Connection", "close");
            try (var in = connection.getInputStream()) {
                return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(address + ": not readable (expected: /metrics of the gateway)", e);
        }
    }

    public static MetricsPage parse(String page) {
        return new MetricsPage(
                page.lines().filter(line -> !line.startsWith("#")).toList());
    }

    /** Returns the sum of all series of a meter that have the label; NaN if there is none. */
    public double sum(String meter, String label) {
        List<Double> values = series.stream()
                .filter(line -> line.startsWith(meter + "{") || line.startsWith(meter + " "))
                .filter(line -> has(line, label))
                .map(line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)))
                .toList();
        return values.isEmpty()
                ? Double.NaN
                : values.stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Returns the sum of all series of a meter; NaN if there is none. */
    public double sum(String meter) {
        return sum(meter, "");
    }

    /** Returns the values that a label of a meter has, sorted. */
    public List<String> values(String meter, String key) {
        Pattern pattern = Pattern.compile("[{,]" + key + "=\"([^\"]*)\"");
        TreeSet<String> values = new TreeSet<>();
        for (String line : series) {
            Matcher matcher = pattern.matcher(line);
            if (line.startsWith(meter + "{") && matcher.find()) {
                values.add(matcher.group(1));
            }
        }
        return List.copyOf(values);
    }

    /** Returns the buckets of all series of a timer that have the label. */
    public TimerScrape timer(String timer, String label) {
        String page = series.stream().filter(line -> has(line, label)).collect(Collectors.joining("\n"));
        return TimerScrape.parse(page, timer);
    }

    /** @param label as it stands on the page, such as {@code result="fresh"}; empty: any */
    private static boolean has(String line, String label) {
        return label.isEmpty() || line.contains("{" + label) || line.contains("," + label);
    }

    /**
     * Returns the direct memory of a gateway: what Netty's allocator took plus what the JVM counts. The sum, so that growth of either shows;
     * where Netty takes its memory from the JVM, it is counted twice, which does not change its growth in percent much.
     */
    public long directMemory() {
        double used = DoubleStream.of(
                        sum("netty_allocator_memory_used", "memory_type=\"direct\""),
                        sum("jvm_buffer_memory_used_bytes", "id=\"direct\""))
                .filter(sum -> !Double.isNaN(sum))
                .sum();
        if (used <= 0) {
            throw new IllegalArgumentException("direct memory: 0 (expected: a page with netty_allocator_memory_used or"
                    + " jvm_buffer_memory_used_bytes)");
        }
        return (long) used;
    }
}
