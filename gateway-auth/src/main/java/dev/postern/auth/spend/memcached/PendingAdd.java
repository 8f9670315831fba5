package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.PendingSpend;
import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.SpendLatency;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.SpendResult;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.store.CompletedSpend;
import dev.postern.auth.spend.store.DeadlineTask;
import dev.postern.auth.spend.store.EventLoopDeadlines;
import dev.postern.auth.spend.store.StoreReply;
import dev.postern.auth.spend.store.WriteTiming;
import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Pending {@code add} of one token at one server, its reply and its result. One object per spend, so kept to 64 bytes.
 *
 * <p>The connection's thread settles the add; the spend's loop calls the listener, with the reply or at the deadline, whichever is first.
 */
public final class PendingAdd implements PendingSpend, DeadlineTask {

    /** Replaces the listener after the deadline, so that a late reply has no effect on the result. */
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
     * @param redemption with the epoch in which the token was issued
     * @param number distinguishes this add from all others of its server handle
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

    /** Sets the timing of the write, on the spend's loop, before the command is written. */
    public void goes(WriteTiming timing) {
        writeTiming = timing;
    }

    /** Takes the reply, or that there is none; once, on the thread of the connection. After STORED, {@link #shown} follows. */
    public void settled(StoreReply reply) {
        if (reply == StoreReply.NOT_STORED) {
            // On this thread, so that the entry is made before a refund's reply on the same connection removes it.
            server.knowSpent(redemption);
        }
        storeReply = reply;
        if (reply != StoreReply.STORED) {
            hand();
        }
    }

    /** Takes the epoch marker read on the same connection after STORED, null when there is none; once, on that thread. */
    public void shown(byte @Nullable [] mark) {
        server.vouch(this, mark);
    }

    /** Takes whether STORED means FRESH; once, from any thread. */
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

    /** Passes the reply of the store to the listener, on the spend's loop. */
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

    /** Completes the spend as UNKNOWN at the deadline, on the spend's loop. */
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

    /** Writes the command into a buffer with at least {@link MemcachedEncoding#longestAdd} bytes. */
    public void write(MemcachedEncoding encoding, ByteBuffer into) {
        encoding.add(into, redemption, server.mark(), number);
    }

    /** Returns the value that the command stores, which identifies this add. */
    byte[] value() {
        return MemcachedEncoding.value(server.mark(), number);
    }

    /** Returns the maximum time that a spend waits for the server. */
    public long timeoutNanos() {
        return server.deadlineNanos();
    }

    /** Returns the event loop of the spend. */
    public EventLoop loop() {
        return deadlines.loop();
    }

    /** Returns the reply of the store, or null as long as there is none; from any thread. */
    public @Nullable StoreReply reply() {
        return storeReply;
    }
}
