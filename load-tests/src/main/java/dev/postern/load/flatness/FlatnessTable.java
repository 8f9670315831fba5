package dev.postern.load.flatness;

import dev.postern.load.flatness.Step.Proxy;
import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Table of a flatness run: the figures of each kind, and the drift over all cycles. */
record FlatnessTable(List<Cycle> warmUp, List<Cycle> cycles) {
    static final Goal P50_RATIO = Goal.atMost(1.15);
    static final Goal GROWN_PERCENT = Goal.atMost(2);
    static final Goal P99_RATIO = Goal.atMost(1.15);

    private static final String STEPS =
            Cycle.PLAN.stream().map("%,d"::formatted).collect(Collectors.joining(", "));

    /**
     * Creates a table.
     *
     * @param warmUp cycles of a new gateway, shown without goals
     * @param cycles that count, of all kinds, in their order
     */
    FlatnessTable {
        warmUp = List.copyOf(warmUp);
        cycles = List.copyOf(cycles);
    }

    Table table() {
        Table table = new Table();
        for (String kind : cycles.stream().map(Cycle::kind).distinct().toList()) {
            FlatnessTable one = new FlatnessTable(of(kind, warmUp), of(kind, cycles));
            one.addLatencies(kind + ": ", table);
            one.addMemory(kind + ": ", table);
        }
        addThreads(table);
        addDrift(table);
        return table;
    }

    private static List<Cycle> of(String kind, List<Cycle> cycles) {
        return cycles.stream().filter(cycle -> cycle.kind().equals(kind)).toList();
    }

    private void addLatencies(String kind, Table table) {
        table.note(kind + "cycles", cycles.size());
        for (Proxy proxy : Proxy.values()) {
            table.note(kind + proxy + ": p50 us at " + STEPS, medians(step -> step.p50(proxy)));
            table.note(kind + proxy + ": p99 us at " + STEPS, medians(step -> step.p99(proxy)));
        }
        String ratio = ": p50 at 1,000 / p50 at 10";
        table.goal(kind + "gateway" + ratio, interval(cycle -> cycle.p50Ratio(Proxy.GATEWAY)), P50_RATIO);
        table.note(kind + "relay" + ratio, interval(cycle -> cycle.p50Ratio(Proxy.RELAY)));
        table.goal(kind + "gateway: messages that failed", failed(Proxy.GATEWAY), Goal.atMost(0));
        table.note(kind + "relay: messages that failed", Spread.number(failed(Proxy.RELAY)));
    }

    private String medians(ToDoubleFunction<Step> figure) {
        return IntStream.range(0, Cycle.PLAN.size())
                .mapToObj(step -> Spread.number(Spread.of(cycles.stream()
                                .map(cycle -> figure.applyAsDouble(cycle.steps().get(step)))
                                .toList())
                        .median()))
                .collect(Collectors.joining(", "));
    }

    private double failed(Proxy proxy) {
        return cycles.stream()
                .flatMap(cycle -> cycle.steps().stream())
                .mapToInt(step -> step.of(proxy).failed())
                .sum();
    }

    private void addMemory(String kind, Table table) {
        addGrowth(kind + "live heap", State::liveHeap, table);
        addGrowth(kind + "direct memory", State::direct, table);
    }

    private void addGrowth(String figure, ToLongFunction<State> value, Table table) {
        String grown = ", last step of 1 over first, percent more";
        table.goal(figure + grown, interval(cycle -> cycle.grownPercent(value)), GROWN_PERCENT);
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
        table.goal("threads, most - fewest", threads.getMax() - threads.getMin(), Goal.atMost(0));
    }

    private void addDrift(Table table) {
        if (cycles.size()
                < Drift.MIN_CYCLES * cycles.stream().map(Cycle::kind).distinct().count()) {
            table.note("drift", "not judged: fewer than " + Drift.MIN_CYCLES + " cycles");
            return;
        }
        addPercent("resident memory", step -> step.state().resident(), table);
        addPercent("direct memory", step -> step.state().direct(), table);
        addPercent("live heap", step -> step.state().liveHeap(), table);
        addDifference("descriptors", State::descriptors, table);
        addDifference("threads", State::threads, table);
        for (String kind : cycles.stream().map(Cycle::kind).distinct().toList()) {
            String drift = "drift of p99, last third / first, ";
            table.goal(drift + kind + ", gateway", p99(kind, Proxy.GATEWAY), P99_RATIO);
            table.note(drift + kind + ", relay", Spread.number(p99(kind, Proxy.RELAY)));
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

    private double p99(String kind, Proxy proxy) {
        return Drifts.of(of(kind, cycles), step -> step.p99(proxy)).median(Drift::ratio);
    }

    private Interval interval(ToDoubleFunction<Cycle> figure) {
        return Interval.of(cycles.stream().mapToDouble(figure).toArray());
    }
}
