package dev.postern.ratelimit.store;

import dev.postern.core.rate.Gcra;
import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;

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
    private final PassNetworks networks = new PassNetworks();

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

    /** Returns the networks from which this node has seen the pass used. */
    public PassNetworks networks() {
        return networks;
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

    /** Takes the pass of a sealed cookie, unless the store has confirmed a later end. It is due for renewal at once. */
    void take(Claim claim, long roomNow, long now) {
        if (claim.end() > confirmed.end) {
            confirmed = new Confirmed(claim.epoch(), claim.end(), claim.hard(), now + claim.end() - roomNow, now);
            renewAt.set(now);
        }
    }

    /** Returns whether the confirmed end is in the future. */
    public boolean live(long now) {
        return now < confirmed.until;
    }

    /** Returns whether the pass is valid, including use that was not yet reported to the store, and its hard end is in the future. */
    public boolean lasts(long now) {
        return now < lastsUntil();
    }

    private long lastsUntil() {
        Confirmed current = confirmed;
        long hardUntil = current.until + current.hard - current.end;
        long idleUntil = open.get() > 0 ? hardUntil : used + room.rules().idle();
        return Math.min(hardUntil, Math.max(current.until, idleUntil));
    }

    /** Returns the time until the hard end, in microseconds; 0 when it is over. */
    public long remaining(long now) {
        Confirmed current = confirmed;
        return Math.max(0, current.until + current.hard - current.end - now);
    }

    /** Returns the claim to this pass, with the end on this node, for a store that lost its memory. */
    public Claim claim() {
        Confirmed current = confirmed;
        return new Claim(current.epoch, 0, 0, current.end + lastsUntil() - current.until, current.hard);
    }

    /**
     * Returns the same claim in the time of a room whose clock may differ from the one that confirmed the pass, such as that of another
     * server.
     *
     * @param roomClock converts times of this node's clock to the room's clock
     */
    public Claim claim(LongUnaryOperator roomClock) {
        Confirmed current = confirmed;
        long hardUntil = current.until + current.hard - current.end;
        return new Claim(current.epoch, 0, 0, roomClock.applyAsLong(lastsUntil()), roomClock.applyAsLong(hardUntil));
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
            long due = rate.capped(previous, now);
            if (!rate.allows(due, now)) {
                if (due != previous) {
                    arrival.compareAndSet(previous, due); // the rate is faster than it was, and the wait begins now
                }
                return false;
            }
            if (arrival.compareAndSet(previous, rate.next(due, now))) {
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
