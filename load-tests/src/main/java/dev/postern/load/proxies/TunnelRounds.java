package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Interval;
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
    void reportDatagrams(Report report, Goal single, Goal batched) {
        both(report, "datagrams per second and core", TunnelTurn::perCore);
        both(report, "datagrams per second", TunnelTurn::perSecond);
        shares(report);
        both(report, "datagrams lost, percent", TunnelTurn::lostPercent);
        ratio(report, "datagrams per second and core", TunnelTurn::perCore, single);
        ratio(report, "the same, goal with batched calls", TunnelTurn::perCore, batched);
        ratio(report, "datagrams per second", TunnelTurn::perSecond, null);
    }

    void reportTrips(Report report, Goal goal) {
        both(report, "round trip, median us", TunnelTurn::tripMicros);
        ratio(report, "round trip, median", TunnelTurn::tripMicros, goal);
    }

    void reportBytes(Report report, @Nullable Goal rate, @Nullable Goal cpu) {
        both(report, "MB per second", turn -> turn.perSecond() / MEGABYTE);
        both(report, "CPU us per MB", TunnelRounds::microsPerMegabyte);
        shares(report);
        ratio(report, "bytes per second", TunnelTurn::perSecond, rate);
        ratio(report, "CPU per MB", TunnelRounds::microsPerMegabyte, cpu);
    }

    private void shares(Report report) {
        both(report, "percent of its core", TunnelTurn::corePercent);
        both(report, "percent of the other core that the load needs", TunnelTurn::loadPercent);
    }

    private static double microsPerMegabyte(TunnelTurn turn) {
        return MEGABYTE * MEGABYTE / turn.perCore();
    }

    private void both(Report report, String figure, ToDoubleFunction<TunnelTurn> value) {
        report.note("postern: " + figure, interval(round -> value.applyAsDouble(round.gateway)));
        report.note(peer + ": " + figure, interval(round -> value.applyAsDouble(round.peer)));
    }

    private void ratio(Report report, String figure, ToDoubleFunction<TunnelTurn> value, @Nullable Goal goal) {
        report.figure(
                figure + ", postern / " + peer + " (paired)",
                interval(round -> value.applyAsDouble(round.gateway) / value.applyAsDouble(round.peer)),
                goal);
    }

    private Interval interval(ToDoubleFunction<Round> value) {
        return Interval.of(rounds.stream().mapToDouble(value).toArray());
    }
}
