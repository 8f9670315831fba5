package dev.postern.load.experiment.keepalive;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Spread;
import dev.postern.load.measure.Table;
import dev.postern.load.proxies.Turn;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Table of the experiment: the figures of each variant, and the ratios with their goals. */
final class KeepAliveTable {
    private static final String CALLS = "samples in socket, connect and close, %, ";
    private static final Goal KEEP_ALIVE = Goal.atLeast(3.8);
    private static final Goal OF_RELAY = Goal.atMost(1.1);
    private static final Goal BELOW = Goal.lessThan(1);
    private static final Goal REUSED = Goal.atLeast(0.99);
    private static final Goal NONE = Goal.atMost(0);
    /** At most so many percent: nothing of the load opens a connection, but scrapes do. */
    private static final Goal HARDLY = Goal.atMost(0.1);

    private final Table table = new Table();
    private final Measured measured;

    private KeepAliveTable(Measured measured) {
        this.measured = measured;
    }

    static Table of(Measured measured) {
        KeepAliveTable table = new KeepAliveTable(measured);
        table.variants();
        table.throughput();
        table.cpu();
        table.reuse();
        table.flames();
        return table.table;
    }

    private void variants() {
        for (String name : measured.names()) {
            String values = Stream.<ToDoubleFunction<Turn>>of(
                            Turn::perSecond, Turn::cpuMicros, KeepAliveTable::coreShare, Turn::typical, Turn::tail)
                    .map(figure ->
                            Spread.number(measured.rounds().of(name, figure).median()))
                    .collect(Collectors.joining("; "));
            table.note(name + ": requests/s; CPU us; busy; p50 us; p99 us", values);
        }
    }

    private static double coreShare(Turn turn) {
        return turn.perSecond() * turn.cpuMicros() / 1e6;
    }

    private void throughput() {
        ratio("requests/s", Variant.POSTERN, Variant.WITHOUT, Turn::perSecond, KEEP_ALIVE);
        ratio("requests/s", Variant.NGINX, Variant.NGINX_WITHOUT, Turn::perSecond, null);
        ratio("requests/s", Variant.POSTERN, Variant.DIRECT, Turn::perSecond, null);
        ratio("requests/s", Variant.POSTERN, Variant.C1, Turn::perSecond, null);
        ratio("requests/s", Variant.POSTERN, Variant.INTERPRETED, Turn::perSecond, null);
    }

    private void cpu() {
        ratio("CPU per request", Variant.WITHOUT, Variant.POSTERN, Turn::cpuMicros, null);
        ratio("CPU per request", Variant.NGINX_WITHOUT, Variant.NGINX, Turn::cpuMicros, null);
        ratio("CPU per request", Variant.POSTERN, Variant.RELAY, Turn::cpuMicros, OF_RELAY);
        Variant.PROXIES.forEach(proxy -> ratio("CPU per request", Variant.POSTERN, proxy, Turn::cpuMicros, BELOW));
        ratio("CPU per request", Variant.NGINX_AGAIN, Variant.NGINX, Turn::cpuMicros, null);
    }

    /** Adds the ratio of two variants within each round; one that was not measured misses its goal. */
    private void ratio(String figure, String name, String other, ToDoubleFunction<Turn> value, @Nullable Goal goal) {
        String title = figure + ", " + name + " / " + other;
        String reason = measured.missing().get(other);
        if (reason != null && goal != null) {
            table.notMeasured(title, reason, goal);
        } else {
            table.goal(title, measured.rounds().paired(name, other, value, (own, base) -> own / base), goal);
        }
    }

    private void reuse() {
        measured.reuse().forEach((name, reuse) -> {
            Goal goal = name.equals(Variant.WITHOUT) ? NONE : REUSED;
            table.goal("requests over a reused connection, " + name, reuse.share(), goal);
        });
        double failed =
                measured.reuse().values().stream().mapToDouble(Reuse::failed).sum();
        table.goal("failed connects to the origin, all gateways", failed, NONE);
    }

    private void flames() {
        FlameStacks without = flame(Variant.WITHOUT);
        table.note(CALLS + Variant.WITHOUT, Spread.number(without.percent()));
        table.goal(CALLS + Variant.POSTERN, flame(Variant.POSTERN).percent(), HARDLY);
    }

    private FlameStacks flame(String name) {
        return Objects.requireNonNull(measured.flames().get(name), name);
    }
}
