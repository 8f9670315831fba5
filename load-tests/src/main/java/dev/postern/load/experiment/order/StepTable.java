package dev.postern.load.experiment.order;

import dev.postern.load.measure.Drift;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rows of the steps: the figures of each kind, and the drift over all cycles. */
record StepTable(List<Cycle> warmUp, List<Cycle> cycles) {
    static final Goal AFTERWARDS = Goal.atMost(1.10);
    static final Goal GROWN_PERCENT = Goal.atMost(2);
    static final Goal P99_RATIO = Goal.atMost(1.15);

    private static final double MEBIBYTE = 1024 * 1024;
    private static final String STEPS =
            Cycle.PLAN.stream().map("%,d"::formatted).collect(Collectors.joining(", "));

    /**
     * Creates a table.
     *
     * @param warmUp cycles of a new gateway, shown without goals
     * @param cycles that count, of all kinds, in their order
     */
    StepTable {
        warmUp = List.copyOf(warmUp);
        cycles = List.copyOf(cycles);
    }

    void addTo(Table table) {
        if (cycles.isEmpty()) {
            return;
        }
        for (Kind kind : kinds()) {
            StepTable one = new StepTable(of(kind, warmUp), of(kind, cycles));
            one.addTurns(kind, table);
            one.addOrder(kind, table);
            one.addMemory(kind, table);
        }
        addThreads(table);
        addDrift(table);
    }

    List<Kind> kinds() {
        return cycles.stream().map(Cycle::kind).distinct().toList();
    }

    /** Returns the median over the cycles of a kind, step by step. */
    List<Double> medians(Kind kind, ToDoubleFunction<Step> figure) {
        List<Cycle> same = of(kind, cycles);
        return IntStream.range(0, Cycle.PLAN.size())
                .mapToObj(step -> Spread.of(same.stream()
                                .map(cycle -> figure.applyAsDouble(cycle.steps().get(step)))
                                .toList())
                        .median())
                .toList();
    }

    static List<String> proxies(Kind kind) {
        return Stream.concat(Stream.of(Step.GATEWAY), kind.peers().stream()).toList();
    }

    private static List<Cycle> of(Kind kind, List<Cycle> cycles) {
        return cycles.stream().filter(cycle -> cycle.kind() == kind).toList();
    }

    private void addTurns(Kind kind, Table table) {
        table.note(kind + ": cycles", cycles.size());
        for (String proxy : proxies(kind)) {
            String which = kind + ": " + proxy;
            table.note(
                            which + ": p50 us at " + STEPS,
                            numbers(kind, step -> step.of(proxy).p50()))
                    .note(
                            which + ": p99 us at " + STEPS,
                            numbers(kind, step -> step.of(proxy).p99()))
                    .note(
                            which + ": messages/s at " + STEPS,
                            numbers(kind, step -> step.of(proxy).stream().perSecond()))
                    .note(
                            which + ": threads, resident MiB at the same",
                            numbers(kind, step -> step.of(proxy).threads()) + "; "
                                    + numbers(kind, step -> step.of(proxy).resident() / MEBIBYTE));
        }
        for (String proxy : proxies(kind)) {
            addRatio(kind, proxy, "p50 at 1,000 / p50 at 10", cycle -> cycle.atTheTop(proxy), kind.atTheTop(), table);
            addRatio(
                    kind,
                    proxy,
                    "p50 at the last 10 / at the first",
                    cycle -> cycle.afterwards(proxy),
                    AFTERWARDS,
                    table);
        }
    }

    private void addRatio(
            Kind kind, String proxy, String figure, ToDoubleFunction<Cycle> ratio, Goal goal, Table table) {
        String name = kind + ": " + proxy + ": " + figure;
        table.goal(name, interval(ratio), proxy.equals(Step.GATEWAY) ? goal : null);
    }

    private String numbers(Kind kind, ToDoubleFunction<Step> figure) {
        return medians(kind, figure).stream()
                .map(value ->
                        value == Math.rint(value) && value < 1_000 ? "%.0f".formatted(value) : Spread.number(value))
                .collect(Collectors.joining(", "));
    }

    private void addOrder(Kind kind, Table table) {
        table.note(
                kind + ": gateway: messages",
                "%,d".formatted(sum(turn -> turn.trips().calls() + turn.stream().messages())));
        table.none(
                kind + ": gateway: out of order or altered",
                sum(turn -> turn.stream().outOfOrder()));
        table.none(
                kind + ": gateway: missing",
                sum(turn -> turn.trips().failed() + turn.stream().missing()));
        for (String peer : kind.peers()) {
            table.note(
                    kind + ": " + peer + ": out of order, altered or missing",
                    sum(
                            peer,
                            turn -> turn.trips().failed()
                                    + turn.stream().outOfOrder()
                                    + turn.stream().missing()));
        }
    }

    private long sum(ToLongFunction<Turn> count) {
        return sum(Step.GATEWAY, count);
    }

    private long sum(String proxy, ToLongFunction<Turn> count) {
        return cycles.stream()
                .flatMap(cycle -> cycle.steps().stream())
                .mapToLong(step -> count.applyAsLong(step.of(proxy)))
                .sum();
    }

    private void addMemory(Kind kind, Table table) {
        addGrowth(kind + ": live heap", State::liveHeap, table);
        addGrowth(kind + ": direct memory", State::direct, table);
    }

    private void addGrowth(String figure, ToLongFunction<State> value, Table table) {
        table.goal(
                figure + ", last step of 10 over first, percent more",
                interval(cycle -> cycle.grownPercent(value)),
                GROWN_PERCENT);
        for (Cycle cycle : warmUp) {
            table.note(figure + ", the same in the cycle that warms up", Spread.number(cycle.grownPercent(value)));
        }
    }

    private void addThreads(Table table) {
        IntSummaryStatistics threads = cycles.stream()
                .flatMap(cycle -> cycle.steps().stream())
                .mapToInt(step -> step.state().threads())
                .summaryStatistics();
        table.note("threads, fewest and most at any step", threads.getMin() + ", " + threads.getMax());
        table.none("threads, most - fewest", threads.getMax() - threads.getMin());
    }

    private void addDrift(Table table) {
        if (cycles.size() < Drift.MIN_CYCLES * kinds().size()) {
            table.note("drift", "not judged: fewer than " + Drift.MIN_CYCLES + " cycles");
            return;
        }
        addPercent("resident memory", step -> step.state().resident(), table);
        addPercent("direct memory", step -> step.state().direct(), table);
        addPercent("live heap", step -> step.state().liveHeap(), table);
        addDifference("descriptors", State::descriptors, table);
        addDifference("threads", State::threads, table);
        for (Kind kind : kinds()) {
            String drift = "drift of p99, last third / first, ";
            table.goal(drift + kind + ", gateway", p99(kind, Step.GATEWAY), P99_RATIO);
            for (String peer : kind.peers()) {
                table.note(drift + kind + ", " + peer, Spread.number(p99(kind, peer)));
            }
        }
    }

    private void addPercent(String figure, ToDoubleFunction<Step> value, Table table) {
        table.goal(
                "drift of " + figure + ", last third over first, percent more",
                Drifts.of(cycles, value).median(Drift::percent),
                GROWN_PERCENT);
    }

    private void addDifference(String figure, ToIntFunction<State> value, Table table) {
        double farthest =
                Drifts.of(cycles, step -> value.applyAsInt(step.state())).farthest(Drift::difference);
        table.verdict(
                "drift of " + figure + ", last third - first, largest at any step",
                String.format(Locale.ROOT, "%+.1f", farthest),
                "= 0",
                farthest == 0);
    }

    private double p99(Kind kind, String proxy) {
        return Drifts.of(of(kind, cycles), step -> step.of(proxy).p99()).median(Drift::ratio);
    }

    private Interval interval(ToDoubleFunction<Cycle> figure) {
        return Interval.of(cycles, figure);
    }

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
            return Spread.of(atEachStep.stream().map(value::applyAsDouble).toList())
                    .median();
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
}
