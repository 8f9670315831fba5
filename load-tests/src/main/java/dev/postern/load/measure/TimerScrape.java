package dev.postern.load.measure;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Scrape of one timer of a Prometheus page, summed over all its tags: counts by upper bound.
 *
 * @param cumulative upper bound of a bucket in seconds, to the number of times within this bound
 * @param seconds the sum of all times
 */
public record TimerScrape(NavigableMap<Double, Long> cumulative, double seconds) {
    private static final Pattern BOUND = Pattern.compile("le=\"([^\"]+)\"");

    /** Reads {@code /metrics} of an admin address. */
    public static TimerScrape read(int adminPort, String timer) {
        return MetricsPage.read(adminPort).timer(timer, "");
    }

    static TimerScrape parse(String page, String timer) {
        NavigableMap<Double, Long> cumulative = new TreeMap<>();
        double seconds = 0;
        for (String line : page.split("\n")) {
            if (line.startsWith(timer + "_bucket{")) {
                Matcher bound = BOUND.matcher(line);
                if (bound.find()) {
                    double le = bound.group(1).equals("+Inf")
                            ? Double.POSITIVE_INFINITY
                            : Double.parseDouble(bound.group(1));
                    cumulative.merge(le, (long) value(line), Long::sum);
                }
            } else if (line.startsWith(timer + "_sum")) {
                seconds += value(line);
            }
        }
        return new TimerScrape(cumulative, seconds);
    }

    private static double value(String line) {
        return Double.parseDouble(line.substring(line.indexOf("} ") + 2).trim().split(" ")[0]);
    }

    public long count() {
        return cumulative.isEmpty() ? 0 : cumulative.lastEntry().getValue();
    }

    /** Returns the times that were added since an earlier scrape. */
    public TimerScrape since(TimerScrape earlier) {
        NavigableMap<Double, Long> added = new TreeMap<>();
        cumulative.forEach((le, count) -> added.put(le, count - earlier.cumulative.getOrDefault(le, 0L)));
        return new TimerScrape(added, seconds - earlier.seconds);
    }

    /** Returns microseconds, interpolated linearly within the bucket of the percentile; NaN if there are no times. */
    public double micros(double percentile) {
        double rank = count() * percentile / 100;
        double lower = 0;
        long below = 0;
        for (Map.Entry<Double, Long> bucket : cumulative.entrySet()) {
            long upTo = bucket.getValue();
            if (upTo > 0 && upTo >= rank) {
                if (bucket.getKey().isInfinite()) {
                    return Double.POSITIVE_INFINITY;
                }
                return (lower + (bucket.getKey() - lower) * (rank - below) / (upTo - below)) * 1e6;
            }
            lower = bucket.getKey();
            below = upTo;
        }
        return Double.NaN;
    }

    /** Returns the mean in microseconds. */
    public double mean() {
        return seconds * 1e6 / count();
    }
}
