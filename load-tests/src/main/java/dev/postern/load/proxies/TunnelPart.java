package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.server.RunFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Part of the tunnel benchmark: one load through the gateway and through a peer, in turn.
 *
 * @param load of {@link TunnelSite#turn}
 * @param peer name of the peer
 * @param starter starts the peer
 * @param report adds the rows with their goals
 */
record TunnelPart(
        String name,
        String title,
        String load,
        String peer,
        Function<TunnelSite, TunnelSite.Through> starter,
        BiConsumer<TunnelRounds, Table> report)
        implements Part {
    /** Share of the warm-up in one connection; several connections, so that the code that opens tunnels is warm, too. */
    private static final int WARM_UP_TURNS = 4;

    static final List<TunnelPart> ALL = List.of(
            datagrams("up", "UDP datagrams of 1,200 B, client to destination"),
            datagrams("down", "UDP datagrams of 1,200 B, destination to client"),
            new TunnelPart(
                    "trip",
                    "round trip of one UDP datagram of 1,200 B",
                    "trip",
                    "relay",
                    TunnelSite::datagramRelay,
                    (rounds, table) -> rounds.reportTrips(table, Goal.atMost(1.6))),
            new TunnelPart(
                    "stream",
                    "one TCP tunnel, client to destination",
                    "stream",
                    "haproxy",
                    site -> site.haproxy(""),
                    (rounds, table) -> rounds.reportBytes(table, Goal.atLeast(0.95), Goal.atMost(1.05))),
            new TunnelPart(
                    "large-buffers",
                    "the same, HAProxy with buffers of 256 KiB",
                    "stream",
                    "haproxy",
                    site -> site.haproxy("tune.bufsize 262144"),
                    (rounds, table) -> rounds.reportBytes(table, null, null)));

    private static TunnelPart datagrams(String way, String title) {
        return new TunnelPart(
                way,
                title,
                way,
                "relay",
                TunnelSite::datagramRelay,
                (rounds, table) -> rounds.reportDatagrams(table, Goal.atLeast(0.7), Goal.atLeast(1)));
    }

    @Override
    public void measure(Pace pace, Table table) {
        try (RunFolder folder = RunFolder.create("tunnels-" + name())) {
            TunnelSite site = new TunnelSite(folder);
            TunnelSite.Through gateway = site.gateway();
            TunnelSite.Through other = starter.apply(site);
            Duration piece = pace.warmUp().dividedBy(WARM_UP_TURNS);
            for (int i = 0; i < WARM_UP_TURNS; i++) {
                site.turn(load, gateway, piece);
            }
            report.accept(new TunnelRounds(peer, rounds(site, gateway, other, pace)), table);
        }
    }

    private List<TunnelRounds.Round> rounds(
            TunnelSite site, TunnelSite.Through gateway, TunnelSite.Through other, Pace pace) {
        List<TunnelRounds.Round> rounds = new ArrayList<>();
        for (int i = 1; i <= pace.rounds(); i++) {
            TunnelTurn theirs = i % 2 == 0 ? site.turn(load, other, pace.turn()) : null;
            TunnelTurn ours = site.turn(load, gateway, pace.turn());
            TunnelTurn turn = theirs == null ? site.turn(load, other, pace.turn()) : theirs;
            rounds.add(new TunnelRounds.Round(ours, turn));
            Progress.say(
                    "%s, round %d of %d: postern %,.0f, peer %,.0f per second; %,.0f, %,.0f per second and core",
                    name(), i, pace.rounds(), ours.perSecond(), turn.perSecond(), ours.perCore(), turn.perCore());
        }
        return rounds;
    }
}
