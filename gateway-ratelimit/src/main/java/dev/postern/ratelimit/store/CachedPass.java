package dev.postern.ratelimit.store;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A pass that this node may trust without asking, until the end that the store has confirmed; and while the store is away, for as long as
 * its session uses it, to its hard end. Thread-safe.
 */
public final class CachedPass {

    private final RoomKey room;
    private final String session;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong arrival = new AtomicLong();
    private volatile Confirmed confirmed = new Confirmed(0, 0, 0, 0, 0);
    private volatile long used;
    private final AtomicLong renewAt = new AtomicLong();
    private final AtomicBoolean paid = new AtomicBoolean();

    CachedPass(RoomKey room, String session) {
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
    void confirm(AdmissionDecision decision, long askedAt) {
        if (askedAt < confirmed.at) {
            return; // answers may overtake each other
        }
        long left = decision.end() - decision.room().now();
        confirmed = new Confirmed(decision.room().epoch(), decision.end(), decision.hard(), askedAt + left, askedAt);
        renewAt.set(askedAt + Math.max(1, room.rules().idle() / 4));
    }

    /** Whether the store has confirmed that it lasts. */
    public boolean live(long now) {
        return now < confirmed.until;
    }

    /** Whether it lasts though the store may not have been told: it was used since, and its hard end has not come. */
    boolean lasts(long now) {
        return now < lastsUntil();
    }

    private long lastsUntil() {
        Confirmed said = confirmed;
        long hardUntil = said.until + said.hard - said.end;
        long idleUntil = open.get() > 0 ? hardUntil : used + room.rules().idle();
        return Math.min(hardUntil, Math.max(said.until, idleUntil));
    }

    /** What a store that lost its memory may honour: the pass to the end to which it lasts here. */
    public Claim claim() {
        Confirmed said = confirmed;
        return new Claim(said.epoch, 0, 0, said.end + lastsUntil() - said.until, said.hard);
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
