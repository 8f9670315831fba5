package dev.postern.auth.spend.redis;

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
import io.lettuce.core.RedisCommandExecutionException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Pending insert of one token at one server. The listener is called once, on the spend's event loop, with the server's reply or at the
 * deadline, whichever is first. Lettuce's threads receive the reply.
 */
final class PendingInsert implements PendingSpend, DeadlineTask {

    private final Request request;
    private final RedisServer server;
    private final long deadlineNanos;
    private @Nullable WriteTiming writeTiming;
    private @Nullable SpendListener listener;
    private long settledAt;
    private SpendResult result = SpendResult.UNKNOWN;
    private boolean inTime;
    private volatile @Nullable StoreReply storeReply;
    private volatile boolean vouched;

    /**
     * Arguments of an insert.
     *
     * @param key full key at the server
     * @param shard shard of the key
     * @param mark the epoch marker of the shard that the gateway knows
     * @param epoch epoch in which the token was issued
     * @param attempt 16 random bytes that distinguish this insert from all others
     * @param millis time to live in milliseconds, in digits: a duration and not a date, since clocks differ
     */
    record Request(
            Redemption redemption,
            byte[] key,
            int shard,
            byte[] mark,
            byte[] epoch,
            byte[] attempt,
            byte[] millis,
            EventLoopDeadlines deadlines) {}

    PendingInsert(Request request, RedisServer server, long deadlineNanos, SpendListener listener) {
        this.request = request;
        this.server = server;
        this.deadlineNanos = deadlineNanos;
        this.listener = listener;
    }

    /** Sets the timing of the write, on the spend's loop, before the command is written. */
    void goes(WriteTiming timing) {
        writeTiming = timing;
    }

    /**
     * Takes the server's response, or the reason why there is none.
     *
     * @param copied completes when it is known whether a replica has the stored key; {@code STORED} is passed on only then
     */
    void came(@Nullable Long response, @Nullable Throwable failure, CompletableFuture<Boolean> copied) {
        if (response == null) {
            refused(failure instanceof RedisCommandExecutionException ? StoreReply.REFUSED : StoreReply.LOST);
        } else if (response == Scripts.STORED) {
            storeReply = StoreReply.STORED;
            copied.thenAccept(this::stored);
        } else if (response == Scripts.SPENT) {
            server.knowSpent(request);
            settle(StoreReply.NOT_STORED);
        } else {
            refused(StoreReply.REFUSED);
        }
    }

    private void stored(boolean enough) {
        vouched = enough && server.vouch(request);
        settle(StoreReply.STORED);
    }

    private void refused(StoreReply reply) {
        if (reply == StoreReply.REFUSED) {
            server.doubt();
        }
        settle(reply);
    }

    /** Settles an insert whose command was not sent. */
    void unsent() {
        settle(StoreReply.UNSENT);
    }

    private void settle(StoreReply reply) {
        server.leave();
        settledAt = System.nanoTime();
        storeReply = reply;
        request.deadlines.hand(this);
    }

    /** Passes the reply of the store to the listener, on the spend's loop. */
    @Override
    public void run() {
        StoreReply reply = storeReply;
        if (listener == null || reply == null) {
            server.late();
            return;
        }
        switch (reply) {
            case STORED -> response(vouched ? SpendResult.FRESH : SpendResult.UNKNOWN, true);
            case NOT_STORED -> response(SpendResult.SPENT, true);
            case REFUSED, UNSENT, LOST -> response(SpendResult.UNKNOWN, true);
        }
        server.heard(reply);
    }

    @Override
    public long dueNanos() {
        WriteTiming way = writeTiming;
        return way == null || way.begun() == 0 ? deadlineNanos : way.begun() + server.deadlineNanos();
    }

    /** Continues after 1 ms: a pause of the loop is over by then. Lettuce's threads do not report when they have read. */
    @Override
    public void look(Runnable continuation) {
        request.deadlines.loop().schedule(continuation, 1, TimeUnit.MILLISECONDS);
    }

    @Override
    public void expire() {
        if (listener != null) {
            response(SpendResult.UNKNOWN, false);
            server.timedOut();
        }
    }

    private void response(SpendResult spendResult, boolean byStore) {
        SpendListener told = listener;
        if (told != null) {
            listener = null;
            result = spendResult;
            inTime = byStore;
            CompletedSpend.tell(told, this);
        }
    }

    @Override
    public SpendLatency times(long askedNanos, long nowNanos) {
        if (writeTiming == null) {
            return SpendLatency.NONE;
        }
        return inTime
                ? writeTiming.responded(askedNanos, settledAt, nowNanos)
                : writeTiming.unanswered(askedNanos, nowNanos);
    }

    @Override
    public boolean responded() {
        return listener == null;
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    Request request() {
        return request;
    }

    /** Returns the reply of the store, or null as long as there is none. */
    @Nullable
    StoreReply reply() {
        return storeReply;
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
