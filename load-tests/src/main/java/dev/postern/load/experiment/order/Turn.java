package dev.postern.load.experiment.order;

import dev.postern.load.worker.Latencies;
import dev.postern.load.worker.Throughput;

/**
 * Turn of one proxy in a step.
 *
 * @param trips round trips at the fixed rate, one at a time
 * @param stream as many messages as the flows carried
 * @param threads of the proxy after it, without those of a JIT compiler
 * @param resident bytes of the proxy after it
 */
record Turn(Latencies trips, Throughput stream, int threads, long resident) {
    /** Returns the median round trip in microseconds, from the moment when the message was sent. */
    double p50() {
        return trips.sentP50();
    }

    /** Returns the p99 in microseconds, from the moment when the message was due, so that a stall shows in all that waited. */
    double p99() {
        return trips.dueP99();
    }
}
