package dev.postern.auth.spend;

/** One attempt to spend one token: what came of it, and what the ledger needs to undo it. Confined to the event loop that asked. */
public interface PendingSpend {

    SpendResult result();

    /** Whether the result is UNKNOWN because a bound of the ledger was reached, so that the store was not even asked. */
    boolean busy();

    /**
     * Where its time went; asked by the listener when it is told.
     *
     * @param askedNanos when the ledger was asked, of {@link System#nanoTime}
     * @param nowNanos of the same
     */
    default SpendLatency times(long askedNanos, long nowNanos) {
        return SpendLatency.NONE;
    }
}
