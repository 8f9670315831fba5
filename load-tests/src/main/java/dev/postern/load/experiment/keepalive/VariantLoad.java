package dev.postern.load.experiment.keepalive;

import dev.postern.load.measure.Progress;
import dev.postern.load.peer.Peer;
import dev.postern.load.proxies.Contender;
import dev.postern.load.proxies.Load;
import dev.postern.load.proxies.Turn;
import java.time.Duration;

/** Load on one variant: as many requests as the connections carry. */
record VariantLoad(Variant variant, Peer peer, Load load) implements Contender {
    private static final Duration SHORT = Duration.ofSeconds(1);

    @Override
    public String name() {
        return peer.name();
    }

    @Override
    public void warmUp(Duration length) {
        Duration needed = variant.getsFaster() ? length : SHORT;
        Progress.say("warming up " + name() + ", " + needed.toSeconds() + " s");
        load.warmUp(peer, needed);
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
