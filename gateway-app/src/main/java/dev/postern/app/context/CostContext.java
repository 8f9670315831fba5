package dev.postern.app.context;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Cost of an exchange in processor time and heap: the median of the last time windows with load and little JIT compilation. Compilation
 * raises the cost of the first minutes, which is not typical of later hours.
 */
public final class CostContext implements ContextSource {

    private static final int LEAST_EXCHANGES = 500;
    private static final int WINDOWS = 9;
    private static final int LEAST_WINDOWS = 3;
    private static final double QUIET = 0.05;

    private final Supplier<ProcessTotals> totals;
    private final Deque<Window> windows = new ArrayDeque<>();
    private ProcessTotals last;

    private record Window(double micros, double bytes) {}

    public CostContext(Supplier<ProcessTotals> totals) {
        this.totals = totals;
        this.last = totals.get();
    }

    @Override
    public List<ContextItem> items() {
        look();
        return List.of(
                ContextItem.cost("cost.cpu-per-exchange-us", median(Window::micros)),
                ContextItem.cost("cost.heap-per-exchange-bytes", median(Window::bytes)));
    }

    private void look() {
        ProcessTotals now = totals.get();
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
