package dev.postern.auth.spend.embedded;

import dev.postern.auth.spend.Spend;
import dev.postern.auth.spend.SpendAttempt;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.store.Awaited;
import dev.postern.auth.spend.store.LoopSide;
import dev.postern.auth.spend.store.Telling;
import org.jspecify.annotations.Nullable;

/** A spend that nobody made before and that is FRESH once the journal has it. On its loop, but for {@link #written}. */
final class JournaledSpend implements SpendAttempt, Awaited {

    private final byte[] key;
    private final long forgetAt;
    private final LoopSide side;
    private final long deadlineNanos;
    private @Nullable SpendListener listener;
    private Spend result = Spend.UNKNOWN;
    private boolean undone;
    private volatile boolean kept;

    JournaledSpend(byte[] key, long forgetAt, LoopSide side, long deadlineNanos, SpendListener listener) {
        this.key = key;
        this.forgetAt = forgetAt;
        this.side = side;
        this.deadlineNanos = deadlineNanos;
        this.listener = listener;
    }

    /** On the journal's thread: whether it survives. */
    void written(boolean good) {
        kept = good;
        side.hand(this);
    }

    @Override
    public void run() {
        answer(kept ? Spend.FRESH : Spend.UNKNOWN);
    }

    @Override
    public void expire() {
        answer(Spend.UNKNOWN);
    }

    private void answer(Spend spend) {
        SpendListener told = listener;
        if (told != null) {
            listener = null;
            result = spend;
            Telling.tell(told, this);
        }
    }

    /** True the first time: whoever spends the token afterwards is another winner. */
    boolean undo() {
        boolean first = !undone;
        undone = true;
        return first;
    }

    byte[] key() {
        return key;
    }

    /** Which file it is in. */
    long forgetAt() {
        return forgetAt;
    }

    @Override
    public boolean answered() {
        return listener == null;
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    @Override
    public Spend result() {
        return result;
    }

    @Override
    public boolean busy() {
        return false;
    }
}
