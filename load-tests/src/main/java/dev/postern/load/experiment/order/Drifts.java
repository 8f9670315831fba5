package dev.postern.load.experiment.order;

import dev.postern.load.measure.Drift;
import dev.postern.load.measure.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Drifts of a figure, each at one step of the cycle, so that only equal numbers of open tunnels are compared. */
record Drifts(List<Drift> atEachStep) {
    /**
     * Compares the cycles of each kind among themselves.
     *
     * @param cycles of all kinds, in their order
     */
    static Drifts of(List<Cycle> cycles, ToDoubleFunction<Step> figure) {
        List<Drift> drifts = new ArrayList<>();
        for (Kind kind : cycles.stream().map(Cycle::kind).distinct().toList()) {
            List<Cycle> same =
                    cycles.stream().filter(cycle -> cycle.kind() == kind).toList();
            for (int i = 0; i < Cycle.PLAN.size(); i++) {
                int step = i;
                drifts.add(Drift.of(same.stream()
                        .map(cycle -> figure.applyAsDouble(cycle.steps().get(step)))
                        .toList()));
            }
        }
        return new Drifts(drifts);
    }

    /** Returns the median over the steps: a lasting change is in all of them. */
    double median(ToDoubleFunction<Drift> value) {
        return Spread.of(atEachStep.stream().map(value::applyAsDouble).toList()).median();
    }

    /** Returns the value that is farthest from zero, for figures without noise. */
    double farthest(ToDoubleFunction<Drift> value) {
        double farthest = 0;
        for (Drift drift : atEachStep) {
            double one = value.applyAsDouble(drift);
            farthest = Math.abs(one) > Math.abs(farthest) ? one : farthest;
        }
        return farthest;
    }
}
