package dev.postern.load.measure;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Closed-loop runs of wrk. */
public final class Wrk {
    private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in ");
    private static final Pattern PER_SECOND = Pattern.compile("Requests/sec:\\s+([\\d.]+)");
    private static final Pattern PERCENTILE = Pattern.compile("(50|99)%\\s+([\\d.]+)(us|ms|s)");
    private static final Pattern TROUBLE = Pattern.compile("(Socket errors:.*|Non-2xx.*)");
    private static final Pattern REFUSED = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");

    private Wrk() {}

    /**
     * Runs wrk with one thread on the core of the load.
     *
     * @param fields of each request, such as {@code Cookie: a=b}
     */
    public static LoadRun run(URI uri, int connections, Duration duration, String... fields) {
        return parse(Command.output(command(uri, connections, duration), options(fields)));
    }

    /**
     * Puts load on the server before the first run that counts; a cold server may fail requests, so the result is not
     * checked.
     */
    public static void warmUp(URI uri, int connections, Duration duration) {
        Command.output(command(uri, connections, duration));
    }

    static Object[] options(String... fields) {
        return Arrays.stream(fields).flatMap(field -> Stream.of("-H", field)).toArray();
    }

    /**
     * Runs requests that must all be refused, at the lowest priority on the core of the load.
     *
     * @param script that creates the requests, in Lua
     */
    public static LoadRun runRefused(URI uri, int connections, Duration duration, Path script) {
        return parseRefused(Command.output("nice -n 19 " + command(uri, connections, duration) + " -s", script));
    }

    /** The default timeout of two seconds is too short when other processes delay the machine. */
    private static String command(URI uri, int connections, Duration duration) {
        return "taskset -c 0 wrk -t1 -c%d -d%3$ds --timeout %3$ds --latency %2$s"
                .formatted(connections, uri, Math.max(1, duration.toSeconds()));
    }

    /** Parses the output of a run in which every request must be refused; any other run is no measurement. */
    static LoadRun parseRefused(String output) {
        String refused = first(REFUSED, output);
        String requests = first(REQUESTS, output);
        if (!refused.equals(requests)) {
            throw new IllegalStateException("wrk: " + refused + " refused (expected: all " + requests + ")");
        }
        return parse(REFUSED.matcher(output).replaceAll(""));
    }

    /** Parses the output of a run; a run with any error is no measurement. */
    static LoadRun parse(String output) {
        Matcher trouble = TROUBLE.matcher(output);
        if (trouble.find()) {
            throw new IllegalStateException("wrk: " + trouble.group(1) + " (expected: only good responses)");
        }
        double p50 = 0;
        double p99 = 0;
        Matcher percentile = PERCENTILE.matcher(output);
        while (percentile.find()) {
            double micros = Double.parseDouble(percentile.group(2)) * LoadRun.micros(percentile.group(3));
            if (percentile.group(1).equals("50")) {
                p50 = micros;
            } else {
                p99 = micros;
            }
        }
        return new LoadRun(
                Long.parseLong(first(REQUESTS, output)), Double.parseDouble(first(PER_SECOND, output)), p50, p99);
    }

    private static String first(Pattern pattern, String output) {
        return Command.found(pattern, output).group(1);
    }
}
