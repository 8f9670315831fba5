package dev.postern.app.context;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * Totals of the process since its start.
 *
 * @param exchanges completed exchanges
 * @param cpuNanos processor time of all threads
 * @param compilerMillis time of JIT compilation
 * @param allocatedBytes on the heap, by live threads
 */
public record ProcessTotals(double exchanges, long cpuNanos, long compilerMillis, long allocatedBytes) {

    /** Reads the totals of this process. */
    public static ProcessTotals read(double exchanges) {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        return new ProcessTotals(
                exchanges,
                system.getProcessCpuTime(),
                compilers == null ? 0 : compilers.getTotalCompilationTime(),
                Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                        .filter(bytes -> bytes > 0)
                        .sum());
    }
}
