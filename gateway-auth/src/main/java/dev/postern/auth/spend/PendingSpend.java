package dev.postern.auth.spend;

/** Pending spend of one token: holds the result and the state that the ledger needs for a refund. Confined to the caller's event loop. */
public interface PendingSpend {

    SpendResult result();

    /** Returns whether the result is UNKNOWN because a limit of the ledger was reached, so that no command was sent to the store. */
    boolean busy();

    /**
     * Returns the parts of the latency of this spend. To be called by the listener, when the listener is called.
     *
     * @param askedNanos time at which {@link SpendLedger#spend} was called, of the ticker of its loop
     * @param nowNanos current time, of the same ticker
     */
    default SpendLatency times(long askedNanos, long nowNanos) {
        return SpendLatency.NONE;
    }
}
