package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLatency;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.store.CompletedSpend;
import dev.postern.auth.spend.store.DeadlineTask;
import dev.postern.auth.spend.store.EventLoopDeadlines;
import dev.postern.auth.spend.store.StoreReply;
import dev.postern.auth.spend.store.WriteTiming;
import io.netty.channel.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to spend a token on one server, its fate, and the response to whom asked. There is one per token, so it has 64 bytes.
 *
 * <p>The connection's thread settles it; its loop responses, by that or by the deadline, whichever is first.
 */
final class PendingAdd implements PendingSpend, DeadlineTask {

    /** Stands where the listener was when time was over, so that what comes later changes nothing any more. */
    private static final SpendListener EXPIRED = spend -> {};

    private final Redemption redemption;
    private final MemcachedServer server;
    private final EventLoopDeadlines deadlines;
    private final long deadlineNanos;
    private final int number;
    private @Nullable WriteTiming writeTiming;
    private @Nullable SpendListener listener;
    private long settledAt;
    private volatile @Nullable StoreReply storeReply;
    private boolean vouched;

    /**
     * @param redemption with the epoch that the token was issued in
     * @param number that tells it from all others of its link
     */
    PendingAdd(
            Redemption redemption,
            MemcachedServer server,
            EventLoopDeadlines deadlines,
            long deadlineNanos,
            int number,
            SpendListener listener) {
        this.redemption = redemption;
        this.server = server;
        this.deadlines = deadlines;
        this.deadlineNanos = deadlineNanos;
        this.number = number;
        this.listener = listener;
    }

    /** It goes that way; before it does, on its loop. */
    void goes(WriteTiming timing) {
        writeTiming = timing;
    }

    /** What the server said, or that it won't say anything; once, on the thread of the connection. After STORED the mark follows. */
    void settled(StoreReply reply) {
        if (reply == StoreReply.NOT_STORED) {
            // On this thread, so that it comes before the same connection's response that the token was given back.
            server.knowSpent(redemption);
        }
        storeReply = reply;
        if (reply != StoreReply.STORED) {
            hand();
        }
    }

    /** The mark that the server showed on the same connection after STORED, null when it showed none; once, on that thread. */
    void shown(byte @Nullable [] mark) {
        server.vouch(this, mark);
    }

    /** Whether STORED means FRESH; once, from any thread. */
    void vouched(boolean good) {
        vouched = good;
        hand();
    }

    private void hand() {
        settledAt = System.nanoTime();
        if (deadlines.loop().inEventLoop()) {
            run();
        } else {
            deadlines.hand(this);
        }
    }

    /** On the loop: the response of the store. */
    @Override
    public void run() {
        StoreReply reply = storeReply;
        if (reply == null || responded()) {
            server.late();
            return;
        }
        response(null);
        server.heard(reply);
    }

    @Override
    public long dueNanos() {
        WriteTiming way = writeTiming;
        return way == null || way.begun() == 0 ? deadlineNanos : way.begun() + server.deadlineNanos();
    }

    @Override
    public void look(Runnable continuation) {
        server.look(deadlines.loop(), continuation);
    }

    /** On the loop: the time is over. */
    @Override
    public void expire() {
        if (!responded()) {
            response(EXPIRED);
            server.timedOut();
        }
    }

    private void response(@Nullable SpendListener next) {
        SpendListener told = listener;
        listener = next;
        if (told != null) {
            CompletedSpend.tell(told, this);
        }
    }

    @Override
    public boolean responded() {
        return listener == null || listener == EXPIRED;
    }

    @Override
    public SpendResult result() {
        if (listener == null && storeReply == StoreReply.STORED && vouched) {
            return SpendResult.FRESH;
        }
        return listener == null && storeReply == StoreReply.NOT_STORED ? SpendResult.SPENT : SpendResult.UNKNOWN;
    }

    @Override
    public boolean busy() {
        return false;
    }

    @Override
    public SpendLatency times(long askedNanos, long nowNanos) {
        if (writeTiming == null) {
            return SpendLatency.NONE;
        }
        return listener == null
                ? writeTiming.responded(askedNanos, settledAt, nowNanos)
                : writeTiming.unanswered(askedNanos, nowNanos);
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    Redemption redemption() {
        return redemption;
    }

    MemcachedServer server() {
        return server;
    }

    int number() {
        return number;
    }

    /** The one that waits for it. */
    EventLoop loop() {
        return deadlines.loop();
    }

    /** What the store said so far, or null; from any thread. */
    @Nullable
    StoreReply reply() {
        return storeReply;
    }
}
