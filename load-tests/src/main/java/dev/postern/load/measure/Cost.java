package dev.postern.load.measure;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
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
    public static Cost of(LongSupplier work) {
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long bytes = HeapMeter.allocatedHere();
        long cpu = process.getProcessCpuTime();
        long start = System.nanoTime();
        long operations = work.getAsLong();
        double nanos = System.nanoTime() - start;
        double cpuNanos = process.getProcessCpuTime() - cpu;
        return new Cost(
                operations * 1e9 / nanos,
                cpuNanos / 1e3 / operations,
                (double) (HeapMeter.allocatedHere() - bytes) / operations);
    }

    /** Returns the mean over all turns; expects the same number of operations in each. */
    public static Cost mean(List<Cost> turns) {
        return new Cost(
                turns.size()
                        / turns.stream().mapToDouble(turn -> 1 / turn.perSecond).sum(),
                turns.stream().mapToDouble(Cost::cpuMicros).average().orElse(Double.NaN),
                turns.stream().mapToDouble(Cost::heapBytes).average().orElse(Double.NaN));
    }
}
