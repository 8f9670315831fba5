package dev.postern.load.flatness;

import dev.postern.load.worker.Latencies;

/**
 * Step of a cycle: the same load over a number of open tunnels or connections, through the gateway and through the relay.
 *
 * @param state of the gateway after its load
 */
record Step(int open, Latencies gateway, Latencies relay, State state) {
    /** Program between client and destination. */
    enum Way {
        GATEWAY("gateway"),
        RELAY("relay");

        private final String label;

        Way(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    Latencies of(Way way) {
        return way == Way.GATEWAY ? gateway : relay;
    }

    /** Returns the median round trip in microseconds, from the moment when the message was sent. */
    double p50(Way way) {
        return of(way).sentP50();
    }

    /** Returns the p99 in microseconds, from the moment when the message was due, so that a stall shows in all that waited. */
    double p99(Way way) {
        return of(way).dueP99();
    }
}
