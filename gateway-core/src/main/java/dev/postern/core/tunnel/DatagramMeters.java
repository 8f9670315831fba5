package dev.postern.core.tunnel;

import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.LongAdder;

/** Meters of the datagrams of all UDP tunnels, by direction and outcome. Thread-safe. */
public final class DatagramMeters {

    private final Direction toDestination;
    private final Direction toClient;
    private final LongAdder unknownContext = new LongAdder();

    public DatagramMeters(MeterRegistry registry) {
        this.toDestination = new Direction(registry, "to-destination");
        this.toClient = new Direction(registry, "to-client");
        Meters.TUNNEL_DATAGRAMS.count(registry, unknownContext::sum, "to-destination", "unknown-context");
    }

    Direction toDestination() {
        return toDestination;
    }

    Direction toClient() {
        return toClient;
    }

    /** Counts datagrams of contexts that the gateway does not know. */
    void unknownContext(int datagrams) {
        unknownContext.add(datagrams);
    }

    /** Counts of one direction. A datagram whose write failed counts as failed alone. */
    static final class Direction {

        private final LongAdder written = new LongAdder();
        private final LongAdder dropped = new LongAdder();
        private final LongAdder failed = new LongAdder();

        private Direction(MeterRegistry registry, String name) {
            Meters.TUNNEL_DATAGRAMS.count(registry, () -> written.sum() - failed.sum(), name, "forwarded");
            Meters.TUNNEL_DATAGRAMS.count(registry, dropped::sum, name, "dropped");
            Meters.TUNNEL_DATAGRAMS.count(registry, failed::sum, name, "failed");
        }

        void countWritten() {
            written.increment();
        }

        /** Counts datagrams that were too old, or in excess of the queue. */
        void countDropped(int datagrams) {
            dropped.add(datagrams);
        }

        /** Counts datagrams that were written before, and that the socket did not take. */
        void countFailed(int datagrams) {
            failed.add(datagrams);
        }
    }
}
