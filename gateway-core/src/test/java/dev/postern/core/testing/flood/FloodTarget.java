package dev.postern.core.testing.flood;

import dev.postern.core.testing.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Gateway process that is flooded. */
public record FloodTarget(int port, int admin, long pid) {

    /**
     * Settings under which slow clients are detected within seconds, with capacity for all upstream requests; the address of the upstream is
     * missing.
     */
    public static final String SETTINGS = """
            limits: {head-timeout: 1s, body-idle-timeout: 1s, write-idle-timeout: 1s, keep-alive-timeout: 2s}
            http2: {window-timeout: 1s}
            lifecycle: {drain-delay: 0s, drain-timeout: 1s}
            log: {level: error, successes: 0%%, refusal-rate: 0/s}
            upstreams:
              - {name: app, endpoints: ["%s"], pool: {idle: 1s, max-connections: 8192, max-pending: 8192},
                 timeouts: {connect: 10s}, health: {failures: 0}}
            routes:
              - {upstream: app, token: off}
            """;

    /** Returns the number of open file descriptors, including sockets. */
    public int descriptors() {
        try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return (int) open.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the sum of all lines of its metrics with that prefix. */
    public double counted(String beginning) {
        return metrics()
                .lines()
                .filter(line -> line.startsWith(beginning))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private String metrics() {
        try (RawClient client = new RawClient(admin)) {
            return client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .read()
                    .body();
        }
    }

    /** Waits until that many descriptors or fewer are open, or until the time has passed; returns their number. */
    int descriptorsAfter(int max, long seconds) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        int current = descriptors();
        while (current > max && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(50);
            current = descriptors();
        }
        return current;
    }
}
