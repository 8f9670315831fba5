package dev.postern.load.measure;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One closed-loop run of h2load of nghttp2 over HTTP/2 in clear text: as many requests as the streams carry.
 *
 * @param requests with a response within the run
 * @param perSecond responses per second
 * @param mean microseconds; h2load reports no percentiles
 */
public record H2Load(long requests, double perSecond, double mean) {
    private static final Pattern REQUESTS = Pattern.compile(
            "requests: \\d+ total, \\d+ started, (\\d+) done, (\\d+) succeeded, (\\d+) failed, (\\d+) errored");
    private static final Pattern PER_SECOND = Pattern.compile("finished in [\\d.]+m?s, ([\\d.]+) req/s");
    private static final Pattern MEAN = Pattern.compile("time for request:\\s+\\S+\\s+\\S+\\s+([\\d.]+)(us|ms|s)");

    /** Runs h2load with one thread on the core of the load. */
    public static H2Load run(URI uri, int connections, int streams, Duration duration) {
        return parse(Command.output(List.of(
                "taskset",
                "-c",
                "0",
                "h2load",
                "-t1",
                "-c" + connections,
                "-m" + streams,
                "-D" + Math.max(1, duration.toSeconds()),
                uri.toString())));
    }

    /** Parses the output of a run; a run with any error is no measurement. */
    static H2Load parse(String output) {
        Matcher requests = found(REQUESTS, output);
        if (!requests.group(1).equals(requests.group(2))
                || !requests.group(3).equals("0")
                || !requests.group(4).equals("0")) {
            throw new IllegalStateException("h2load: " + requests.group() + " (expected: only good responses)");
        }
        Matcher mean = found(MEAN, output);
        double unit = mean.group(2).equals("us") ? 1 : mean.group(2).equals("ms") ? 1_000 : 1_000_000;
        return new H2Load(
                Long.parseLong(requests.group(2)),
                Double.parseDouble(found(PER_SECOND, output).group(1)),
                Double.parseDouble(mean.group(1)) * unit);
    }

    private static Matcher found(Pattern pattern, String output) {
        Matcher matcher = pattern.matcher(output);
        if (!matcher.find()) {
            throw new IllegalStateException("h2load: no " + pattern + " in its output:\n" + output);
        }
        return matcher;
    }
}
