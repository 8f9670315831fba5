package dev.postern.load.plan;

import dev.postern.load.measure.Spread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Result of a phase.
 *
 * @param rate of arrivals per second
 * @param failed requests without response or with another status
 * @param median microseconds from request to response, over all requests that had a response
 * @param p99 the same percentile in microseconds
 */
public record PhaseResult(String name, int rate, long requests, long failed, long median, long p99) {
    /** Returns the share of failed requests in percent; all of none. */
    public double failedPercent() {
        return requests == 0 ? 100 : 100.0 * failed / requests;
    }

    /** Returns the figures as text. */
    public String figures() {
        return requests + " requests, " + Spread.number(failedPercent()) + " % failed, p50 " + millis(median)
                + " ms, p99 " + millis(p99) + " ms";
    }

    private static String millis(long micros) {
        return Spread.number(micros / 1000.0);
    }

    /** Writes one result a line. */
    public static void write(List<PhaseResult> results, Path file) {
        try {
            Files.writeString(file, results.stream().map(PhaseResult::line).collect(Collectors.joining()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads what {@link #write} wrote; no file: no result. */
    public static List<PhaseResult> read(Path file) {
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file).stream().map(PhaseResult::parse).toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String line() {
        return String.join(
                        "\t",
                        name,
                        String.valueOf(rate),
                        String.valueOf(requests),
                        String.valueOf(failed),
                        String.valueOf(median),
                        String.valueOf(p99))
                + "\n";
    }

    private static PhaseResult parse(String line) {
        String[] cells = line.split("\t");
        return new PhaseResult(
                cells[0],
                Integer.parseInt(cells[1]),
                Long.parseLong(cells[2]),
                Long.parseLong(cells[3]),
                Long.parseLong(cells[4]),
                Long.parseLong(cells[5]));
    }
}
