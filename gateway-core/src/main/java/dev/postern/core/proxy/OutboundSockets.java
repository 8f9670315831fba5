package dev.postern.core.proxy;

import dev.postern.core.metrics.Meters;
import dev.postern.core.net.AddressPrefix;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;

/**
 * Budget of the sockets that exchanges of forward listeners hold, in one process: tunnels over connections and over streams, CONNECT-UDP,
 * look-ups, and requests without a tunnel. Many exchanges share one client connection, so the limit of client connections does not bound
 * them. The last quarter is for clients that hold at most a quarter: one client cannot take all. Thread-safe.
 */
public final class OutboundSockets {

    private static final int PARTS = 4;

    private final Map<AddressPrefix, Integer> clients = new HashMap<>();
    private int max;
    private int open;

    /** @param max sockets at once */
    public OutboundSockets(int max) {
        this.max = max;
    }

    /** Changes the maximum; sockets above it stay open. */
    public synchronized void max(int value) {
        max = value;
    }

    public synchronized int max() {
        return max;
    }

    public synchronized int open() {
        return open;
    }

    /** Takes so many sockets for a client; false, and none taken, when the budget does not allow it. */
    synchronized boolean take(AddressPrefix client, int count) {
        if (count == 0) {
            return true;
        }
        int part = max / PARTS;
        int held = clients.getOrDefault(client, 0) + count;
        int all = open + count;
        if (all > max || (held > part && all > max - part)) {
            return false;
        }
        open = all;
        clients.put(client, held);
        return true;
    }

    /** Gives so many sockets of a client back. */
    synchronized void give(AddressPrefix client, int count) {
        if (count == 0) {
            return;
        }
        open -= count;
        clients.computeIfPresent(client, (prefix, held) -> held > count ? held - count : null);
    }

    /** Registers the meters. */
    public void register(MeterRegistry meters) {
        Meters.FORWARD_SOCKETS.gauge(meters, this::open, "open");
        Meters.FORWARD_SOCKETS.gauge(meters, this::max, "limit");
    }
}
