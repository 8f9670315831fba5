package dev.postern.auth.spend;

/**
 * The parts of a spend check that are not the store's, in nanoseconds; what is left of the whole is the store's.
 *
 * @param queue from the question until its first byte was written: other commands went first
 * @param write until the last byte was taken over by the client library or the kernel
 * @param back from the store's response until the event loop that asked has it
 */
public record SpendLatency(long queue, long write, long back) {

    /** Of a check that asked nobody over a wire. */
    public static final SpendLatency NONE = new SpendLatency(0, 0, 0);

    /** Of two checks, one after the other. */
    public SpendLatency plus(SpendLatency next) {
        return new SpendLatency(queue + next.queue, write + next.write, back + next.back);
    }
}
