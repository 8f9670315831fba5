package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
import dev.postern.load.measure.Table;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Rounds of a load through the gateway's tunnel and through a peer, and their rows.
 *
 * @param peer name of the other program
 */
record TunnelRounds(String peer, List<Round> rounds) {
    private static final double MEGABYTE = 1e6;

    /** One round: a turn of the gateway and a turn of the peer. */
    record Round(TunnelTurn gateway, TunnelTurn peer) {}

    /** Reports datagrams per second and core; the batched goal is the one that decides, since the gateway batches. */
    void reportDatagrams(Table table, Goal single, Goal batched) {
        both(table, "datagrams per second and core", TunnelTurn::perCore);
        both(table, "datagrams per second", TunnelTurn::perSecond);
        shares(table);
        both(table, "datagrams lost, percent", TunnelTurn::lostPercent);
        ratio(table, "datagrams per second and core", TunnelTurn::perCore, single);
        ratio(table, "the same, goal with batched calls", TunnelTurn::perCore, batched);
        ratio(table, "datagrams per second", TunnelTurn::perSecond, null);
    }

    void reportTrips(Table table, Goal goal) {
        both(table, "round trip, median us", TunnelTurn::tripMicros);
        ratio(table, "round trip, median", TunnelTurn::tripMicros, goal);
    }

    void reportBytes(Table table, @Nullable Goal rate, @Nullable Goal cpu) {
        both(table, "MB per second", turn -> turn.perSecond() / MEGABYTE);
        both(table, "CPU us per MB", TunnelRounds::microsPerMegabyte);
        shares(table);
        ratio(table, "bytes per second", TunnelTurn::perSecond, rate);
        ratio(table, "CPU per MB", TunnelRounds::microsPerMegabyte, cpu);
    }

    private void shares(Table table) {
        both(table, "percent of its core", TunnelTurn::corePercent);
        both(table, "percent of the other core that the load needs", TunnelTurn::loadPercent);
    }

    private static double microsPerMegabyte(TunnelTurn turn) {
        return MEGABYTE * MEGABYTE / turn.perCore();
    }

    private void both(Table table, String figure, ToDoubleFunction<TunnelTurn> value) {
        table.note("postern: " + figure, Interval.of(rounds, round -> value.applyAsDouble(round.gateway)));
        table.note(peer + ": " + figure, Interval.of(rounds, round -> value.applyAsDouble(round.peer)));
    }

    private void ratio(Table table, String figure, ToDoubleFunction<TunnelTurn> value, @Nullable Goal goal) {
        table.goal(
                figure + ", postern / " + peer + " (paired)",
                Interval.of(rounds, round -> value.applyAsDouble(round.gateway) / value.applyAsDouble(round.peer)),
                goal);
    }
}
