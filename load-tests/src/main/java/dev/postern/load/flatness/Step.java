package dev.postern.load.flatness;

import dev.postern.load.worker.Latencies;

/**
 * Step of a cycle: the same load over a number of open tunnels or connections, through the gateway and through the relay.
 *
 * @param state of the gateway after its load
 */
record Step(int open, Latencies gateway, Latencies relay, State state) {
    /** Program between client and destination. */
    enum Proxy {
        GATEWAY("gateway"),
        RELAY("relay");

        private final String label;

        Proxy(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    Latencies of(Proxy proxy) {
        return proxy == Proxy.GATEWAY ? gateway : relay;
    }

    /** Returns the median round trip in microseconds, from the moment when the message was sent. */
    double p50(Proxy proxy) {
        return of(proxy).sentP50();
    }

    /** Returns the p99 in microseconds, from the moment when the message was due, so that a stall shows in all that waited. */
    double p99(Proxy proxy) {
        return of(proxy).dueP99();
    }
}
