package dev.postern.auth.spend.redis;

import dev.postern.auth.spend.Redemption;
import dev.postern.auth.spend.Spend;
import dev.postern.auth.spend.SpendAttempt;
import dev.postern.auth.spend.SpendListener;
import dev.postern.auth.spend.SpendTimes;
import dev.postern.auth.spend.store.Awaited;
import dev.postern.auth.spend.store.Fate;
import dev.postern.auth.spend.store.LoopSide;
import dev.postern.auth.spend.store.Sending;
import dev.postern.auth.spend.store.Telling;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One spend on its way to one server and back. Answered on its loop, once, by the server or by the deadline, whichever is first; what the
 * server says is taken on Lettuce's thread.
 */
final class RedisCall implements SpendAttempt, Awaited {

    private final Request request;
    private final RedisNode node;
    private final long deadlineNanos;
    private @Nullable Sending sending;
    private @Nullable SpendListener listener;
    private long settledAt;
    private Spend result = Spend.UNKNOWN;
    private boolean inTime;
    private volatile @Nullable Fate fate;
    private volatile boolean vouched;

    /**
     * @param key as the server knows it
     * @param shard where it lies
     * @param mark the epoch mark of that shard, as we know it
     * @param epoch that the token was issued in
     * @param attempt 16 random bytes that tell this attempt from all others
     * @param millis how long to remember, in digits: a span and no date, since clocks differ
     */
    record Request(
            Redemption redemption,
            byte[] key,
            int shard,
            byte[] mark,
            byte[] epoch,
            byte[] attempt,
            byte[] millis,
            LoopSide side) {}

    RedisCall(Request request, RedisNode node, long deadlineNanos, SpendListener listener) {
        this.request = request;
        this.node = node;
        this.deadlineNanos = deadlineNanos;
        this.listener = listener;
    }

    /** It goes that way; before it does, on its loop. */
    void goes(Sending by) {
        sending = by;
    }

    /**
     * The server's answer, or why there was none.
     *
     * @param copied completes when it is known whether what was stored outlives the server; only then {@code STORED} is told
     */
    void came(@Nullable Long answer, @Nullable Throwable failure, CompletableFuture<Boolean> copied) {
        if (answer == null) {
            refused(failure instanceof RedisCommandExecutionException ? Fate.REFUSED : Fate.LOST);
        } else if (answer == Scripts.STORED) {
            fate = Fate.STORED;
            copied.thenAccept(this::stored);
        } else if (answer == Scripts.SPENT) {
            node.knowSpent(request);
            settle(Fate.NOT_STORED);
        } else {
            refused(Fate.REFUSED);
        }
    }

    private void stored(boolean enough) {
        vouched = enough && node.vouch(request);
        settle(Fate.STORED);
    }

    private void refused(Fate how) {
        if (how == Fate.REFUSED) {
            node.doubt();
        }
        settle(how);
    }

    /** It never left. */
    void unsent() {
        settle(Fate.UNSENT);
    }

    private void settle(Fate how) {
        node.leave();
        settledAt = System.nanoTime();
        fate = how;
        request.side.hand(this);
    }

    /** On the loop: the answer of the store. */
    @Override
    public void run() {
        Fate how = fate;
        if (listener == null || how == null) {
            node.late();
            return;
        }
        switch (how) {
            case STORED -> answer(vouched ? Spend.FRESH : Spend.UNKNOWN, true);
            case NOT_STORED -> answer(Spend.SPENT, true);
            case REFUSED, UNSENT, LOST -> answer(Spend.UNKNOWN, true);
        }
        node.heard(how);
    }

    @Override
    public long dueNanos() {
        Sending way = sending;
        return way == null || way.begun() == 0 ? deadlineNanos : way.begun() + node.deadlineNanos();
    }

    /** The loop's own standstill is over then; the library's threads don't say when they have read. */
    @Override
    public void look(Runnable then) {
        request.side.loop().schedule(then, 1, TimeUnit.MILLISECONDS);
    }

    @Override
    public void expire() {
        if (listener != null) {
            answer(Spend.UNKNOWN, false);
            node.timedOut();
        }
    }

    private void answer(Spend spend, boolean byStore) {
        SpendListener told = listener;
        if (told != null) {
            listener = null;
            result = spend;
            inTime = byStore;
            Telling.tell(told, this);
        }
    }

    @Override
    public SpendTimes times(long askedNanos, long nowNanos) {
        if (sending == null) {
            return SpendTimes.NONE;
        }
        return inTime ? sending.answered(askedNanos, settledAt, nowNanos) : sending.unanswered(askedNanos, nowNanos);
    }

    @Override
    public boolean answered() {
        return listener == null;
    }

    @Override
    public long deadlineNanos() {
        return deadlineNanos;
    }

    Request request() {
        return request;
    }

    /** What the store said so far, or null. */
    @Nullable
    Fate fate() {
        return fate;
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
