package dev.postern.load.plan;

import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Unchecked;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * Result of a phase.
 *
 * @param rate of arrivals per second
 * @param failed requests without response or with another status
 * @param median microseconds from request to response, over all requests that had a response
 * @param p99 the same percentile in microseconds
 */
public record PhaseResult(String name, int rate, long requests, long failed, long median, long p99) {
    private static final JsonMapper JSON = new JsonMapper();
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

    /** Writes the results as JSON. */
    public static void write(List<PhaseResult> results, Path file) {
        Unchecked.run(() -> Files.writeString(file, JSON.writeValueAsString(results)));
    }

    /** Reads what {@link #write} wrote; no file: no result. */
    public static List<PhaseResult> read(Path file) {
        return Unchecked.get(() ->
                Files.exists(file) ? List.of(JSON.readValue(Files.readString(file), PhaseResult[].class)) : List.of());
    }
}
