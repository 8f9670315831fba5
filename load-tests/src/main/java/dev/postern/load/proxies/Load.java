package dev.postern.load.proxies;

import dev.postern.load.measure.H2Load;
import dev.postern.load.measure.Wrk;
import dev.postern.load.peer.Peer;
import java.time.Duration;

/**
 * Load of a closed loop: as many requests as the connections carry, with a fixed number under way on each.
 *
 * @param streams of HTTP/2 on each connection; 0 for HTTP/1.1
 */
record Load(int connections, int streams) {
    static Load http1(int connections) {
        return new Load(connections, 0);
    }

    /**
     * Puts load on the peer before the first turn that counts; a cold server may fail requests, so the result is not
     * checked.
     */
    void warmUp(Peer peer, Duration length) {
        if (streams == 0) {
            Wrk.warmUp(peer.uri(), connections, length);
        } else {
            H2Load.run(peer.uri(), connections, streams, length);
        }
    }

    Turn turn(Peer peer, Duration length) {
        Duration cpuBefore = peer.process().cpu();
        long requests;
        double perSecond;
        double typical;
        if (streams == 0) {
            Wrk load = Wrk.run(peer.uri(), connections, length);
            requests = load.requests();
            perSecond = load.perSecond();
            typical = load.p50();
        } else {
            H2Load load = H2Load.run(peer.uri(), connections, streams, length);
            requests = load.requests();
            perSecond = load.perSecond();
            typical = load.mean();
        }
        Duration used = peer.process().cpu().minus(cpuBefore);
        return new Turn(used.toNanos() / 1e3 / requests, perSecond, typical);
    }
}
