package dev.postern.app.context;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Cost of an exchange in processor time and heap: the median of the last time windows with load and little JIT compilation. Compilation
 * raises the cost of the first minutes, which is not typical of later hours.
 */
final class CostContext implements ContextSource {

    private static final int LEAST_EXCHANGES = 500;
    private static final int WINDOWS = 9;
    private static final int LEAST_WINDOWS = 3;
    private static final double QUIET = 0.05;

    private final Supplier<Totals> totals;
    private final Deque<Window> windows = new ArrayDeque<>();
    private Totals last;

    private record Window(double micros, double bytes) {}

    /**
     * Totals of the process since its start.
     *
     * @param exchanges completed exchanges
     * @param cpuNanos processor time of all threads
     * @param compilerMillis time of JIT compilation
     * @param allocatedBytes on the heap, by live threads
     */
    record Totals(double exchanges, long cpuNanos, long compilerMillis, long allocatedBytes) {

        /** Reads the totals of this process. */
        static Totals read(double exchanges) {
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
            CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
            return new Totals(
                    exchanges,
                    system.getProcessCpuTime(),
                    compilers == null ? 0 : compilers.getTotalCompilationTime(),
                    Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                            .filter(bytes -> bytes > 0)
                            .sum());
        }
    }

    CostContext(Supplier<Totals> totals) {
        this.totals = totals;
        this.last = totals.get();
    }

    @Override
    public List<ContextItem> items() {
        check();
        return List.of(
                ContextItem.cost("cost.cpu-per-exchange-us", median(Window::micros)),
                ContextItem.cost("cost.heap-per-exchange-bytes", median(Window::bytes)));
    }

    private void check() {
        Totals now = totals.get();
        double exchanges = now.exchanges() - last.exchanges();
        if (exchanges < LEAST_EXCHANGES) {
            return; // the window continues until there are enough exchanges
        }
        double cpu = now.cpuNanos() - last.cpuNanos();
        double compiled = now.compilerMillis() - last.compilerMillis();
        if (compiled * 1e6 <= cpu * QUIET) {
            windows.add(new Window(cpu / 1e3 / exchanges, (now.allocatedBytes() - last.allocatedBytes()) / exchanges));
        }
        if (windows.size() > WINDOWS) {
            windows.remove();
        }
        last = now;
    }

    private String median(ToDoubleFunction<Window> cost) {
        if (windows.size() < LEAST_WINDOWS) {
            return "";
        }
        double[] sorted = windows.stream().mapToDouble(cost).sorted().toArray();
        return String.format(Locale.ROOT, "%.1f", sorted[sorted.length / 2]);
    }
}
