package dev.postern.load.measure;

import java.util.stream.DoubleStream;

/**
 * Direct memory of a gateway by its Prometheus page: what Netty's allocator took plus what the JVM counts. The sum, so that growth of
 * either shows; where Netty takes its memory from the JVM, it is counted twice, which does not change its growth in percent much.
 */
public final class DirectMemory {
    private DirectMemory() {}

    public static long read(int adminPort) {
        return of(MetricsPage.read(adminPort));
    }

    static long of(MetricsPage page) {
        double used = DoubleStream.of(
                        page.sum("netty_allocator_memory_used", "memory_type=\"direct\""),
                        page.sum("jvm_buffer_memory_used_bytes", "id=\"direct\""))
                .filter(sum -> !Double.isNaN(sum))
                .sum();
        if (used <= 0) {
            throw new IllegalArgumentException("direct memory: 0 (expected: a page with netty_allocator_memory_used or"
                    + " jvm_buffer_memory_used_bytes)");
        }
        return (long) used;
    }
}
