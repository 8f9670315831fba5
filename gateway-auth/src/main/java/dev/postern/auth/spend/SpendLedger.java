package dev.postern.auth.spend;

import io.netty.channel.EventLoop;
import java.util.List;

/**
 * The store that remembers which tokens were redeemed.
 *
 * <p>Thread rule: {@link #spend} and {@link #giveBack} are called on an event loop and never block it; the rest on any thread.
 */
public interface SpendLedger extends AutoCloseable {

    /**
     * Spends a token by one atomic insert. The listener is called exactly once, on that same loop, within the ledger's own deadline and
     * possibly before this returns.
     */
    void spend(Redemption redemption, EventLoop loop, SpendListener listener);

    /**
     * Whether the token is known, without a question to any store, to be spent. A cheap first look before the arithmetic; false says
     * nothing.
     *
     * @param key as in {@link Redemption#key}
     */
    boolean knownSpent(byte[] key);

    /**
     * Nothing of this attempt was forwarded: if the ledger holds a mark of it, or comes to hold one, the mark is taken away, by
     * compare-and-expire on that very mark, sent once. Never takes away what another attempt spent. Call it at most once per attempt, on
     * the loop that asked.
     */
    void giveBack(PendingSpend pendingSpend);

    /**
     * The random marks of the stores as one short value: a part of the redemption context of challenges, so that challenges change when a
     * store lost its memory, and what was issued before is refused. The caller owns the array.
     */
    byte[] epoch();

    LedgerHealth health();

    /** The connections that stand now, where a store has some that can be looked at. */
    default List<StoreConnectionInfo> wires() {
        return List.of();
    }

    @Override
    void close();
}
