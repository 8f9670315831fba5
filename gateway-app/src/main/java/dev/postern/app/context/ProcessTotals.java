package dev.postern.app.context;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * What the process has done and used since it started.
 *
 * @param exchanges that ended
 * @param cpuNanos processor time of all threads
 * @param compilerMillis time that the compilers of the JVM worked
 * @param allocatedBytes on the heap, by threads that live
 */
public record ProcessTotals(double exchanges, long cpuNanos, long compilerMillis, long allocatedBytes) {

    /** Of this process, now. */
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
