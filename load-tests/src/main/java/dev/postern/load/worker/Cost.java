package dev.postern.load.worker;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Cost of one operation on average.
 *
 * @param perSecond operations per second of wall time
 * @param cpuMicros of the whole process, garbage collection and JIT compiler included
 * @param heapBytes allocated by all threads
 */
public record Cost(double perSecond, double cpuMicros, double heapBytes) {

    /** Runs the work, which returns its number of operations. */
    static Cost of(LongSupplier work) {
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long bytes = allocated();
        long cpu = process.getProcessCpuTime();
        long start = System.nanoTime();
        long operations = work.getAsLong();
        double nanos = System.nanoTime() - start;
        double cpuNanos = process.getProcessCpuTime() - cpu;
        return new Cost(
                operations * 1e9 / nanos, cpuNanos / 1e3 / operations, (double) (allocated() - bytes) / operations);
    }

    /** Returns the mean over all turns; expects the same number of operations in each. */
    static Cost mean(List<Cost> turns) {
        return new Cost(
                turns.size()
                        / turns.stream().mapToDouble(turn -> 1 / turn.perSecond).sum(),
                turns.stream().mapToDouble(Cost::cpuMicros).average().orElse(Double.NaN),
                turns.stream().mapToDouble(Cost::heapBytes).average().orElse(Double.NaN));
    }

    /** Returns the bytes allocated by the live threads; no thread ends during the measurement. */
    private static long allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            sum += Math.max(bytes, 0);
        }
        return sum;
    }

    /** Returns the line of the worker's response. */
    String line() {
        return String.format(Locale.ROOT, "%f %f %f", perSecond, cpuMicros, heapBytes);
    }

    /** Reads {@link #line()}. */
    public static Cost parse(String line) {
        String[] words = line.split(" ");
        if (words.length != 3) {
            throw new IllegalArgumentException(line + " (expected: three numbers)");
        }
        return new Cost(Double.parseDouble(words[0]), Double.parseDouble(words[1]), Double.parseDouble(words[2]));
    }
}
