package dev.postern.load.proxies;

import dev.postern.load.measure.H2Load;
import dev.postern.load.measure.LoadRun;
import dev.postern.load.measure.STime;
import dev.postern.load.measure.Wrk;
import dev.postern.load.peer.Peer;
import java.time.Duration;

/**
 * Load of a closed loop: as many requests as the connections carry, with a fixed number under way on each.
 *
 * @param size of HTTP/2: concurrent streams on each connection; of handshakes: bytes of the response
 */
public record Load(Kind kind, int connections, int size) {
    /** Kind of the load; of the two kinds of handshakes each request has its own connection. */
    private enum Kind {
        HTTP1,
        HTTP2,
        FULL_HANDSHAKES,
        RESUMED_HANDSHAKES
    }

    public static Load http1(int connections) {
        return new Load(Kind.HTTP1, connections, 0);
    }

    static Load http2(int connections, int streams) {
        return new Load(Kind.HTTP2, connections, streams);
    }

    static Load handshakes(boolean resumed, int connections, int body) {
        return new Load(resumed ? Kind.RESUMED_HANDSHAKES : Kind.FULL_HANDSHAKES, connections, body);
    }

    /**
     * Puts load on the peer before the first turn that counts; a cold server may fail requests, so the result is not
     * checked.
     */
    public void warmUp(Peer peer, Duration length) {
        if (kind == Kind.HTTP1) {
            Wrk.warmUp(peer.uri(), connections, length);
        } else {
            run(peer, length);
        }
    }

    public Turn turn(Peer peer, Duration length) {
        Duration cpuBefore = peer.process().cpu();
        LoadRun result = run(peer, length);
        Duration used = peer.process().cpu().minus(cpuBefore);
        if (result.requests() == 0) {
            throw new IllegalStateException("no response in " + length.toSeconds() + " s (expected: some)");
        }
        return new Turn(used.toNanos() / 1e3 / result.requests(), result.perSecond(), result.typical(), result.tail());
    }

    private LoadRun run(Peer peer, Duration length) {
        return switch (kind) {
            case HTTP1 -> Wrk.run(peer.uri(), connections, length);
            case HTTP2 -> H2Load.run(peer.uri(), connections, size, length);
            case FULL_HANDSHAKES -> STime.run(peer.uri(), connections, false, size, length);
            case RESUMED_HANDSHAKES -> STime.run(peer.uri(), connections, true, size, length);
        };
    }
}
