package dev.postern.auth.spend.embedded;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.CompletedSpend;
import dev.postern.auth.spend.store.DeadlineTask;
import dev.postern.auth.spend.store.EventLoopDeadlines;
import org.jspecify.annotations.Nullable;

/** Journaled spend: first spend of its token, FRESH once the journal has written it. Confined to its loop, except {@link #written}. */
final class JournaledSpend implements PendingSpend, DeadlineTask {

    private final byte[] key;
    private final long forgetAt;
    private final EventLoopDeadlines deadlines;
    private final long deadlineNanos;
    private @Nullable SpendListener listener;
    private SpendResult result = SpendResult.UNKNOWN;
    private boolean undone;
    private volatile boolean kept;

    JournaledSpend(
            byte[] key, long forgetAt, EventLoopDeadlines deadlines, long deadlineNanos, SpendListener listener) {
        this.key = key;
        this.forgetAt = forgetAt;
        this.deadlines = deadlines;
        this.deadlineNanos = deadlineNanos;
        this.listener = listener;
    }

    /** Takes whether the record was written, on the journal's thread. */
    void written(boolean good) {
        kept = good;
        deadlines.hand(this);
    }

    @Override
    public void run() {
        response(kept ? SpendResult.FRESH : SpendResult.UNKNOWN);
    }

    @Override
    public void expire() {
        response(SpendResult.UNKNOWN);
    }

    private void response(SpendResult spendResult) {
        SpendListener target = listener;
        if (target != null) {
            listener = null;
            result = spendResult;
            CompletedSpend.notify(target, this);
        }
    }

    /** Returns true on the first call only: a later spend of the same token must not be refunded by this one. */
    boolean undo() {
        boolean first = !undone;
        undone = true;
        return first;
    }

    byte[] key() {
        return key;
    }

    /** Returns the time at which the key may be forgotten, which identifies its journal file. */
    long forgetAt() {
        return forgetAt;
    }

    @Override
    public boolean responded() {
        return listener == null;
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public SpendResult result() {
        return result;
    }

    @Override
    public boolean busy() {
        return false;
    }
}
