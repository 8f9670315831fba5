package dev.postern.load.measure;

import java.net.URI;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Closed-loop runs of h2load of nghttp2 over HTTP/2; it reports no percentiles. */
public final class H2Load {
    private static final Pattern REQUESTS = Pattern.compile(
            "requests: \\d+ total, \\d+ started, (\\d+) done, (\\d+) succeeded, (\\d+) failed, (\\d+) errored");
    private static final Pattern PER_SECOND = Pattern.compile("finished in [\\d.]+m?s, ([\\d.]+) req/s");
    private static final Pattern MEAN = Pattern.compile("time for request:\\s+\\S+\\s+\\S+\\s+([\\d.]+)(us|ms|s)");

    private H2Load() {}

    /** Runs h2load with one thread on the core of the load. */
    public static LoadRun run(URI uri, int connections, int streams, Duration duration) {
        return parse(Command.output("taskset -c 0 h2load -t1 -c%d -m%d -D%d %s"
                .formatted(connections, streams, Math.max(1, duration.toSeconds()), uri)));
    }

    /** Parses the output of a run; a run with any error is no measurement. */
    static LoadRun parse(String output) {
        Matcher requests = Command.found(REQUESTS, output);
        if (!requests.group(1).equals(requests.group(2))
                || !requests.group(3).equals("0")
                || !requests.group(4).equals("0")) {
            throw new IllegalStateException("h2load: " + requests.group() + " (expected: only good responses)");
        }
        Matcher mean = Command.found(MEAN, output);
        return new LoadRun(
                Long.parseLong(requests.group(2)),
                Double.parseDouble(Command.found(PER_SECOND, output).group(1)),
                Double.parseDouble(mean.group(1)) * LoadRun.micros(mean.group(2)));
    }
}
