package dev.postern.load.measure;

import java.net.URI;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Closed-loop runs of several clients of {@code openssl s_time}, each with a TLS 1.3 connection at a time: a
 * handshake, one request, its response, and the server's close.
 */
public final class STime {
    private static final Pattern CLIENT =
            Pattern.compile("(\\d+) connections in \\d+ real seconds, (\\d+) bytes read per connection");

    /** Mark that s_time prints for each connection whose session is new. */
    private static final char FULL = '*';

    /** Request of s_time, which appends {@code HTTP/1.0} to the path: here as the value of a field. */
    private static final String PATH = "/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX:";

    private STime() {}

    /**
     * Runs the clients on the core of the load.
     *
     * @param resumed whether each connection after the client's first resumes a session, instead of none
     * @param body bytes of a good response at least; the body of an error must be smaller
     */
    public static LoadRun run(URI uri, int clients, boolean resumed, int body, Duration duration) {
        String one = "openssl s_time -connect %s -tls1_3 %s -time %d -www \"$0\" &"
                .formatted(uri.getAuthority(), resumed ? "-reuse" : "-new", Math.max(1, duration.toSeconds()));
        long start = System.nanoTime();
        String output = Command.output("taskset -c 0 sh -c", one.repeat(clients) + " wait", PATH);
        long connections = parse(output, clients, resumed, body);
        double perSecond = connections * 1e9 / (System.nanoTime() - start);
        return new LoadRun(connections, perSecond, clients * 1e6 / perSecond);
    }

    /**
     * Returns the connections of all clients; a run with a client that failed, with a short response or with a
     * handshake of the other kind is no measurement.
     */
    static long parse(String output, int clients, boolean resumed, int body) {
        long connections = 0;
        int ended = 0;
        Matcher client = CLIENT.matcher(output);
        while (client.find()) {
            ended++;
            connections += Long.parseLong(client.group(1));
            if (Integer.parseInt(client.group(2)) < body) {
                throw new IllegalStateException(
                        "s_time: " + client.group() + " (expected: at least " + body + " bytes of each response)");
            }
        }
        if (ended != clients) {
            throw new IllegalStateException(
                    "s_time: " + ended + " clients without error (expected: all " + clients + ")\n" + output);
        }
        long full = output.chars().filter(mark -> mark == FULL).count();
        long expected = resumed ? 0 : connections;
        if (full != expected) {
            throw new IllegalStateException("s_time: " + full + " full handshakes of " + connections
                    + " connections (expected: " + expected + ")");
        }
        return connections;
    }
}
