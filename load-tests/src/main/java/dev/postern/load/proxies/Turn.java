package dev.postern.load.proxies;

import dev.postern.load.measure.Wrk;
import dev.postern.load.peer.Peer;
import java.time.Duration;

/**
 * One peer's turn in one round.
 *
 * @param cpuMicros of the peer's process for each request
 * @param p50 microseconds, as wrk saw it
 */
record Turn(double cpuMicros, double perSecond, double p50) {
    static Turn of(Peer peer, int connections, Duration length) {
        Duration before = peer.process().cpu();
        Wrk load = Wrk.run(peer.uri(), connections, length);
        Duration used = peer.process().cpu().minus(before);
        return new Turn(used.toNanos() / 1e3 / load.requests(), load.perSecond(), load.p50());
    }
}
