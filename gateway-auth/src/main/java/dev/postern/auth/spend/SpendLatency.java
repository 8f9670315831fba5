package dev.postern.auth.spend;

/**
 * Latency of a spend inside the gateway, by part, in nanoseconds. The rest of the total is the time of the store.
 *
 * @param queue from the call until the first byte of the command was written: earlier commands were written first
 * @param write until the client library or the kernel had taken the last byte
 * @param back from the store's response until the caller's event loop received it
 */
public record SpendLatency(long queue, long write, long back) {

    /** Latency of a spend that sent no command over a connection. */
    public static final SpendLatency NONE = new SpendLatency(0, 0, 0);

    /** Returns the latency of two spends, one after the other. */
    public SpendLatency plus(SpendLatency next) {
        return new SpendLatency(queue + next.queue, write + next.write, back + next.back);
    }
}
