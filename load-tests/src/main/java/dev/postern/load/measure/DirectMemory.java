package dev.postern.load.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * Direct memory of a gateway by its Prometheus page: what Netty's allocator took plus what the JVM counts. The sum, so that growth of
 * either shows; where Netty takes its memory from the JVM, it is counted twice, which does not change its growth in percent much.
 */
public final class DirectMemory {
    private DirectMemory() {}

    /** Reads {@code /metrics} of an admin address, over a connection that ends with it, since the descriptors are counted, too. */
    public static long read(int adminPort) {
        try {
            HttpURLConnection connection = (HttpURLConnection) URI.create("http://127.0.0.1:" + adminPort + "/metrics")
                    .toURL()
                    .openConnection();
            connection.setRequestProperty("Connection", "close");
            try (var in = connection.getInputStream()) {
                return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static long parse(String page) {
        double netty = CounterScrape.parse(page, "netty_allocator_memory_used", "memory_type=\"direct\"");
        double jvm = CounterScrape.parse(page, "jvm_buffer_memory_used_bytes", "id=\"direct\"");
        double used = netty + jvm;
        if (used <= 0) {
            throw new IllegalArgumentException("direct memory: 0 (expected: a page with netty_allocator_memory_used or"
                    + " jvm_buffer_memory_used_bytes)");
        }
        return (long) used;
    }
}
