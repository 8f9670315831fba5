package dev.postern.load.proxies;

import dev.postern.load.measure.Progress;
import dev.postern.load.peer.Peer;
import java.time.Duration;

/** Peer contender: a proxy under a load of requests. */
public record PeerContender(Peer peer, Load load) implements Contender {
    private static final Duration WARM_UP_TURN = Duration.ofSeconds(3);

    @Override
    public String name() {
        return peer.name();
    }

    @Override
    public void warmUp(Duration length) {
        Progress.say("warming up " + name() + ", " + length.toSeconds() + " s and until it gets no faster");
        load.warmUp(peer, length);
        Steady steady = new Steady();
        while (!steady.reachedWith(cost())) {
            // one more turn
        }
    }

    /**
     * Returns the cost of a request in a turn that does not count; infinite if a response was not good, as a cold
     * server's may be.
     */
    private double cost() {
        try {
            return turn(WARM_UP_TURN).cpuMicros();
        } catch (IllegalStateException e) {
            return Double.POSITIVE_INFINITY;
        }
    }

    @Override
    public Turn turn(Duration length) {
        try {
            return load.turn(peer, length);
        } catch (IllegalStateException e) {
            throw new IllegalStateException(name() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void awaitQuiet() {
        peer.process().awaitQuiet();
    }
}
