package dev.postern.auth.spend.store;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLatency;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.SpendResult;
import io.netty.channel.EventLoop;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Attempt to spend one token at one server; {@link SpendState} has its states. One object per spend, so kept to 56 bytes with the fields
 * of a subclass.
 *
 * <p>The thread of the connection settles the attempt; the spend's event loop calls the listener, with the reply or at the deadline,
 * whichever is first.
 */
public abstract class SpendAttempt implements PendingSpend, DeadlineTask {

    private static final AtomicReferenceFieldUpdater<SpendAttempt, SpendState> STATE =
            AtomicReferenceFieldUpdater.newUpdater(SpendAttempt.class, SpendState.class, "state");

    private final Redemption redemption;
    private final EventLoopDeadlines deadlines;
    private final long deadlineNanos;
    private @Nullable WriteTiming writeTiming;
    private @Nullable SpendListener listener;
    private long settledAt;
    private volatile SpendState state = SpendState.Sent.SENT;

    /** @param redemption with the epoch in which the token was issued */
    protected SpendAttempt(
            Redemption redemption, EventLoopDeadlines deadlines, long deadlineNanos, SpendListener listener) {
        this.redemption = redemption;
        this.deadlines = deadlines;
        this.deadlineNanos = deadlineNanos;
        this.listener = listener;
    }

    protected abstract StoreServer server();

    /** Sets the timing of the write, on the spend's loop, before the command is written. */
    public final void goes(WriteTiming timing) {
        writeTiming = timing;
    }

    /** Takes the reply, or the reason why there is none; once, on the thread of the connection. After STORED, {@link #verified} follows. */
    public final void settled(StoreReply reply) {
        if (reply == StoreReply.NOT_STORED) {
            // On this thread, so that the entry is made before a refund's reply on the same connection removes it.
            server().knowSpent(redemption);
        }
        SpendState previous;
        do {
            previous = state;
        } while (!STATE.compareAndSet(this, previous, previous.settled(reply)));
        if (reply != StoreReply.STORED) {
            hand();
        }
    }

    /** Takes whether STORED means FRESH; once, from any thread. */
    public final void verified(boolean good) {
        SpendState previous;
        do {
            previous = state;
        } while (!STATE.compareAndSet(this, previous, previous.verified(good)));
        hand();
    }

    private void hand() {
        settledAt = loop().ticker().nanoTime();
        if (deadlines.loop().inEventLoop()) {
            run();
        } else {
            deadlines.hand(this);
        }
    }

    /** Passes the reply of the store to the listener, on the spend's loop. */
    @Override
    public final void run() {
        SpendState previous = state;
        StoreReply reply = previous.reply();
        if (previous.ended() || reply == null) {
            server().late();
            return;
        }
        // A settled attempt is changed by its loop only.
        STATE.lazySet(this, previous.responded());
        callListener();
        server().heard(reply);
    }

    /** Completes the spend as UNKNOWN at the deadline, on the spend's loop. */
    @Override
    public final void expire() {
        SpendState previous;
        do {
            previous = state;
            if (previous.ended()) {
                return;
            }
        } while (!STATE.compareAndSet(this, previous, previous.expired()));
        callListener();
        server().timedOut();
    }

    private void callListener() {
        SpendListener next = listener;
        listener = null;
        if (next != null) {
            CompletedSpend.notify(next, this);
        }
    }

    @Override
    public final long dueNanos() {
        WriteTiming timing = writeTiming;
        return timing == null ? deadlineNanos : timing.due(server().deadlineNanos(), deadlineNanos);
    }

    @Override
    public final void readReplies(Runnable continuation) {
        server().readReplies(deadlines.loop(), continuation);
    }

    @Override
    public final boolean responded() {
        return state.ended();
    }

    @Override
    public final SpendResult result() {
        return state.result();
    }

    @Override
    public final boolean busy() {
        return false;
    }

    @Override
    public final SpendLatency times(long askedNanos, long nowNanos) {
        WriteTiming timing = writeTiming;
        if (timing == null) {
            return SpendLatency.NONE;
        }
        return state instanceof SpendState.Responded
                ? timing.responded(askedNanos, settledAt, nowNanos)
                : timing.unanswered(askedNanos, nowNanos);
    }

    @Override
    public final long deadlineNanos() {
        return deadlineNanos;
    }

    public final Redemption redemption() {
        return redemption;
    }

    /** Returns the event loop of the spend. */
    public final EventLoop loop() {
        return deadlines.loop();
    }

    /** Returns the reply of the store, or null as long as there is none; from any thread. */
    public final @Nullable StoreReply reply() {
        return state.reply();
    }
}
