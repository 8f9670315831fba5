package dev.postern.ratelimit.store;

import dev.postern.core.pace.Gcra;
import dev.postern.ratelimit.queue.Decision;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A pass that this node may trust without asking, until the end that the store has confirmed. Thread-safe.
 */
public final class LivePass {

    private final RoomKey room;
    private final String session;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong arrival = new AtomicLong();
    private volatile Confirmed confirmed = new Confirmed(0, 0, 0, 0, 0);
    private volatile long used;
    private final AtomicLong renewAt = new AtomicLong();
    private final AtomicBoolean paid = new AtomicBoolean();

    LivePass(RoomKey room, String session) {
        this.room = room;
        this.session = session;
    }

    /**
     * What the store said last.
     *
     * @param epoch of the room's memory
     * @param end on the room's clock
     * @param hard on the room's clock
     * @param until the end on this node's clock, never later than the store means it
     * @param at this node's clock when the store was asked
     */
    public record Confirmed(long epoch, long end, long hard, long until, long at) {}

    public RoomKey room() {
        return room;
    }

    public String session() {
        return session;
    }

    public Confirmed confirmed() {
        return confirmed;
    }

    /** Takes over what the store answered to a question asked at that instant of this node's clock. */
    void confirm(Decision decision, long askedAt) {
        if (askedAt < confirmed.at) {
            return; // answers may overtake each other
        }
        long left = decision.end() - decision.room().now();
        confirmed = new Confirmed(decision.room().epoch(), decision.end(), decision.hard(), askedAt + left, askedAt);
        renewAt.set(askedAt + Math.max(1, room.rules().idle() / 4));
    }

    public boolean live(long now) {
        return now < confirmed.until;
    }

    /** Whether the caller is the one to renew it now: it was used, and a quarter of the idle time has gone by. */
    boolean renews(long now) {
        long due = renewAt.get();
        return now >= due
                && renewAt.compareAndSet(
                        due, now + Math.min(1_000_000, room.rules().idle() / 8 + 1));
    }

    /** Counts one request of the session; false when it does more than it may. */
    public boolean paced(Gcra rate, long now) {
        while (true) {
            long before = arrival.get();
            if (!rate.allows(before, now)) {
                return false;
            }
            if (arrival.compareAndSet(before, rate.next(before, now))) {
                return true;
            }
        }
    }

    /** An exchange of the session begins: as long as it is open, the session isn't silent. */
    public void begin(long now) {
        open.incrementAndGet();
        used = now;
    }

    public void end(long now) {
        open.decrementAndGet();
        used = now;
    }

    /** True for the first request of this pass that carries a credential, once. */
    public boolean firstPayment() {
        return paid.compareAndSet(false, true);
    }

    /** Whether the session was heard from after the store was asked last. */
    boolean present() {
        return open.get() > 0 || used > confirmed.at;
    }
}
