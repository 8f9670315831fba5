package dev.postern.load.experiment.order;

import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.Throughput;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Cycles for tests: flat ones, and changes of them. */
final class Cycles {
    static final State STATE = new State(20_000_000, 8_000_000, 150_000_000, 60, 30);

    private Cycles() {}

    /** Creates a step of TCP tunnels with p50 and p99 in microseconds through the gateway; half of both through the relay. */
    static Step step(int open, double p50, double p99, State state) {
        return new Step(open, Map.of(Step.GATEWAY, turn(p50, p99), "relay", turn(p50 / 2, p99 / 2)), state);
    }

    /** The due p50 and the sent p99 are figures that no row may use. */
    static Turn turn(double p50, double p99) {
        return new Turn(
                new Latencies(4_000, 0, 9_999, p99, p50, 8_888), new Throughput(10_000, 0.5, 0, 0), 30, 150_000_000);
    }

    static Cycle flat(Kind kind) {
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
        return new Step(step.open(), step.turns(), state);
    }

    static Step with(Step step, String proxy, UnaryOperator<Turn> change) {
        Map<String, Turn> turns = new HashMap<>(step.turns());
        turns.put(proxy, change.apply(step.of(proxy)));
        return new Step(step.open(), turns, step.state());
    }

    /** Returns a turn whose stream had these faults. */
    static Turn with(Turn turn, long outOfOrder, long missing) {
        return new Turn(
                turn.trips(), new Throughput(10_000, 0.5, outOfOrder, missing), turn.threads(), turn.resident());
    }
}
