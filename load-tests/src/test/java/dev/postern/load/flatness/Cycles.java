package dev.postern.load.flatness;

import dev.postern.load.worker.Latencies;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Cycles for tests: flat ones, and changes of them. */
final class Cycles {
    static final State STATE = new State(20_000_000, 8_000_000, 150_000_000, 60, 30);

    private Cycles() {}

    /** Creates a step with p50 and p99 in microseconds through the gateway; half of both through the relay. */
    static Step step(int open, double p50, double p99, State state) {
        return new Step(open, latencies(p50, p99, 0), latencies(p50 / 2, p99 / 2, 0), state);
    }

    /** The due p50 and the sent p99 are figures that no row may use. */
    static Latencies latencies(double p50, double p99, int failed) {
        return new Latencies(4_000, failed, 9_999, p99, p50, 8_888);
    }

    static Cycle flat(String kind) {
        return new Cycle(
                kind,
                Cycle.PLAN.stream().map(open -> step(open, 100, 300, STATE)).toList());
    }

    /** Returns a cycle with one step changed. */
    static Cycle with(Cycle cycle, int step, UnaryOperator<Step> change) {
        List<Step> steps = new ArrayList<>(cycle.steps());
        steps.set(step, change.apply(steps.get(step)));
        return new Cycle(cycle.kind(), steps);
    }

    /** Returns a cycle with all steps changed. */
    static Cycle withAll(Cycle cycle, UnaryOperator<Step> change) {
        return new Cycle(cycle.kind(), cycle.steps().stream().map(change).toList());
    }

    static Step with(Step step, State state) {
        return new Step(step.open(), step.gateway(), step.relay(), state);
    }
}
