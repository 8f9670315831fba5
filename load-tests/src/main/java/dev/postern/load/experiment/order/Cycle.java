package dev.postern.load.experiment.order;

import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Cycle: one way up and down through the numbers of open tunnels or connections.
 *
 * @param steps one for each number of {@link #PLAN}, in its order
 */
record Cycle(Kind kind, List<Step> steps) {
    /** Numbers of open tunnels or connections, step by step. */
    static final List<Integer> PLAN = List.of(1, 10, 1_000, 10);

    private static final int UP = 1;
    private static final int TOP = 2;
    private static final int DOWN = 3;

    Cycle {
        List<Integer> open = steps.stream().map(Step::open).toList();
        if (!open.equals(PLAN)) {
            throw new IllegalArgumentException("steps: " + open + " (expected: " + PLAN + ")");
        }
        steps = List.copyOf(steps);
    }

    /**
     * Returns the median round trip at 1,000 divided by that at 10. At 10 there is a step before and one after; their geometric mean
     * counts, so that a machine that becomes steadily faster or slower meanwhile does not change the ratio.
     */
    double atTheTop(String proxy) {
        return p50(TOP, proxy) / Math.sqrt(p50(UP, proxy) * p50(DOWN, proxy));
    }

    /** Returns the median round trip at 10 after the way up and down, divided by that before it. */
    double afterwards(String proxy) {
        return p50(DOWN, proxy) / p50(UP, proxy);
    }

    private double p50(int step, String proxy) {
        return steps.get(step).of(proxy).p50();
    }

    /** Returns by how many percent a figure at the last step is larger than at the first one with as many open. */
    double grownPercent(ToLongFunction<State> figure) {
        double before = figure.applyAsLong(steps.get(UP).state());
        double after = figure.applyAsLong(steps.get(DOWN).state());
        return 100 * (after / before - 1);
    }
}
