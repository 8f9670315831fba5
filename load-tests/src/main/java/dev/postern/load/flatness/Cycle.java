package dev.postern.load.flatness;

import dev.postern.load.flatness.Step.Proxy;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Cycle: one way up and down through the numbers of open tunnels or connections.
 *
 * @param kind {@code tcp}, {@code udp} or {@code http}
 * @param steps one for each number of {@link #PLAN}, in its order
 */
record Cycle(String kind, List<Step> steps) {
    /** Numbers of open tunnels or connections, step by step. */
    static final List<Integer> PLAN = List.of(1, 10, 1_000, 10, 1);

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
    double p50Ratio(Proxy proxy) {
        return steps.get(TOP).p50(proxy)
                / Math.sqrt(steps.get(UP).p50(proxy) * steps.get(DOWN).p50(proxy));
    }

    /** Returns by how many percent a figure at the last step is larger than at the first one, which has as many open ones. */
    double grownPercent(ToLongFunction<State> figure) {
        double first = figure.applyAsLong(steps.get(0).state());
        double last = figure.applyAsLong(steps.get(steps.size() - 1).state());
        return 100 * (last / first - 1);
    }
}
