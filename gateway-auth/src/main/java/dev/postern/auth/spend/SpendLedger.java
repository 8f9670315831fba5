package dev.postern.auth.spend;

import io.netty.channel.EventLoop;
import java.util.List;

/**
 * Ledger of spent tokens.
 *
 * <p>Threads: {@link #spend} and {@link #refund} are called on an event loop and never block; all other methods on any thread.
 */
public interface SpendLedger extends AutoCloseable {

    /**
     * Spends a token by one atomic insert. The listener is called exactly once, on the given loop, within the ledger's own deadline, and
     * possibly before this method returns.
     */
    void spend(Redemption redemption, EventLoop loop, SpendListener listener);

    /**
     * Returns whether the token is known to be spent, without sending a command to any store. A cheap check before the signature is
     * verified. The value {@code false} does not mean that the token is unspent.
     *
     * @param key as in {@link Redemption#key}
     */
    boolean knownSpent(byte[] key);

    /**
     * Refunds a spend of which nothing was forwarded. If the ledger holds the value that this spend stored, or stores it later, the
     * ledger removes the value, by one compare-and-expire on exactly this value. A refund never removes the spend of another caller. Call
     * this method at most once per spend, on the loop that called {@link #spend}.
     */
    void refund(PendingSpend pendingSpend);

    /**
     * Returns the epoch: the random epoch markers of all stores, combined to one short value. The epoch is a part of the redemption context
     * of challenges. When a store loses its memory, challenges change, and tokens issued before are refused. The caller owns the array.
     */
    byte[] epoch();

    LedgerHealth health();

    /** Returns facts about the open connections to the stores; empty where a store has none to show. */
    default List<StoreConnectionInfo> connections() {
        return List.of();
    }

    @Override
    void close();
}
