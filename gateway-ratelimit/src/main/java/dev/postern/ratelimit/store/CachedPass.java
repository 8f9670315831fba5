package dev.postern.ratelimit.store;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Cached pass, which this node accepts without a call to the store until the end that the store has confirmed. While the store is
 * unavailable, this node accepts the pass for as long as its session uses it, until the hard end. Thread-safe.
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
     * Confirmed times of a pass, from the store's last response.
     *
     * @param epoch epoch of the room
     * @param end end of the pass, on the room's clock
     * @param hard hard end of the pass, on the room's clock
     * @param until end of the pass on this node's clock, never later than the end in the store
     * @param at time of the call, on this node's clock
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

    /** Takes the store's response to a call that was made at {@code askedAt} of this node's clock. */
    void confirm(AdmissionDecision decision, long askedAt) {
        if (askedAt < confirmed.at) {
            return; // responses may overtake each other
        }
        long remaining = decision.end() - decision.room().now();
        confirmed =
                new Confirmed(decision.room().epoch(), decision.end(), decision.hard(), askedAt + remaining, askedAt);
        renewAt.set(askedAt + Math.max(1, room.rules().idle() / 4));
    }

    /** Returns whether the confirmed end is in the future. */
    public boolean live(long now) {
        return now < confirmed.until;
    }

    /** Returns whether the pass is valid, including use that was not yet reported to the store, and its hard end is in the future. */
    boolean lasts(long now) {
        return now < lastsUntil();
    }

    private long lastsUntil() {
        Confirmed current = confirmed;
        long hardUntil = current.until + current.hard - current.end;
        long idleUntil = open.get() > 0 ? hardUntil : used + room.rules().idle();
        return Math.min(hardUntil, Math.max(current.until, idleUntil));
    }

    /** Returns the claim to this pass, with the end on this node, for a store that lost its memory. */
    public Claim claim() {
        Confirmed current = confirmed;
        return new Claim(current.epoch, 0, 0, current.end + lastsUntil() - current.until, current.hard);
    }

    /** Returns whether the caller must renew the pass now: a quarter of the idle time has passed. True for one caller only. */
    boolean renews(long now) {
        long due = renewAt.get();
        return now >= due
                && renewAt.compareAndSet(
                        due, now + Math.min(1_000_000, room.rules().idle() / 8 + 1));
    }

    /** Counts one request of the session. Returns false when the session exceeds its rate. */
    public boolean paced(Gcra rate, long now) {
        while (true) {
            long previous = arrival.get();
            if (!rate.allows(previous, now)) {
                return false;
            }
            if (arrival.compareAndSet(previous, rate.next(previous, now))) {
                return true;
            }
        }
    }

    /** Records the start of an exchange. The session is active as long as an exchange is open. */
    public void begin(long now) {
        open.incrementAndGet();
        used = now;
    }

    public void end(long now) {
        open.decrementAndGet();
        used = now;
    }

    /** Returns true once, for the first request of this pass that carries a credential. */
    public boolean firstPayment() {
        return paid.compareAndSet(false, true);
    }

    /** Returns whether the session was active since the last call to the store. */
    boolean present() {
        return open.get() > 0 || used > confirmed.at;
    }
}
