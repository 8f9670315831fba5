package dev.postern.load.proxies;

import dev.postern.load.measure.Goal;
import dev.postern.load.measure.Progress;
import dev.postern.load.measure.Table;
import dev.postern.load.server.RunFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Part of the tunnel benchmark: one load through the gateway and through a peer, in turn. */
record TunnelPart(Kind kind) implements Part {
    /** Share of the warm-up in one connection; several connections, so that the code that opens tunnels is warm, too. */
    private static final int WARM_UP_TURNS = 4;

    /** Load of the part. */
    enum Kind {
        UP("up", "up", "relay", "UDP datagrams of 1,200 B, client to destination"),
        DOWN("down", "down", "relay", "UDP datagrams of 1,200 B, destination to client"),
        TRIP("trip", "trip", "relay", "round trip of one UDP datagram of 1,200 B"),
        STREAM("stream", "stream", "haproxy", "one TCP tunnel, client to destination"),
        LARGE_BUFFERS("large-buffers", "stream", "haproxy", "the same, HAProxy with buffers of 256 KiB");

        private final String part;
        private final String load;
        private final String peer;
        private final String title;

        Kind(String part, String load, String peer, String title) {
            this.part = part;
            this.load = load;
            this.peer = peer;
            this.title = title;
        }
    }

    @Override
    public String name() {
        return kind.part;
    }

    @Override
    public String title() {
        return kind.title;
    }

    @Override
    public void measure(Pace pace, Table table) {
        TunnelSite site = new TunnelSite(RunFolder.create("tunnels-" + name()));
        try (TunnelSite.Through gateway = site.gateway();
                TunnelSite.Through peer = peer(site)) {
            Duration piece = pace.warmUp().dividedBy(WARM_UP_TURNS);
            for (int i = 0; i < WARM_UP_TURNS; i++) {
                site.turn(kind.load, gateway, piece);
            }
            report(new TunnelRounds(kind.peer, rounds(site, gateway, peer, pace)), table);
        }
    }

    private TunnelSite.Through peer(TunnelSite site) {
        return switch (kind) {
            case UP, DOWN, TRIP -> site.datagramRelay();
            case STREAM -> site.haproxy("");
            case LARGE_BUFFERS -> site.haproxy("tune.bufsize 262144");
        };
    }

    private List<TunnelRounds.Round> rounds(
            TunnelSite site, TunnelSite.Through gateway, TunnelSite.Through peer, Pace pace) {
        List<TunnelRounds.Round> rounds = new ArrayList<>();
        for (int i = 1; i <= pace.rounds(); i++) {
            TunnelTurn theirs = i % 2 == 0 ? site.turn(kind.load, peer, pace.turn()) : null;
            TunnelTurn ours = site.turn(kind.load, gateway, pace.turn());
            TunnelTurn other = theirs == null ? site.turn(kind.load, peer, pace.turn()) : theirs;
            rounds.add(new TunnelRounds.Round(ours, other));
            Progress.say("%s, round %d of %d: postern %,.0f, peer %,.0f per second; %,.0f, %,.0f per second and core"
                    .formatted(
                            name(),
                            i,
                            pace.rounds(),
                            ours.perSecond(),
                            other.perSecond(),
                            ours.perCore(),
                            other.perCore()));
        }
        return rounds;
    }

    private void report(TunnelRounds rounds, Table table) {
        switch (kind) {
            case UP, DOWN -> rounds.reportDatagrams(table, Goal.atLeast(0.7), Goal.atLeast(1));
            case TRIP -> rounds.reportTrips(table, Goal.atMost(1.6));
            case STREAM -> rounds.reportBytes(table, Goal.atLeast(0.95), Goal.atMost(1.05));
            case LARGE_BUFFERS -> rounds.reportBytes(table, null, null);
        }
    }
}
