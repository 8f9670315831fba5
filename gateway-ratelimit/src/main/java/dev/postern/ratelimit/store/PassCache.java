package dev.postern.ratelimit.store;

import dev.postern.ratelimit.queue.AdmissionDecision;
import dev.postern.ratelimit.queue.AdmissionRequest.Claim;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Cache of valid passes that this node has seen. An admitted session passes without a call to the store, also while the store is
 * unavailable.
 *
 * <p>The cache does not exceed the session limit: the store keeps the slot at least until the end stored here, and longer until this node
 * reports that it has dropped the pass. The size of the cache is limited by the session limits of the rooms. Thread-safe.
 */
public final class PassCache {

    private final Map<String, CachedPass> passes = new ConcurrentHashMap<>();
    private final EndedPasses ended = new EndedPasses();

    /** Returns the pass of the session, or null when this node knows no pass with a confirmed end in the future. */
    public @Nullable CachedPass find(RoomKey room, String session, long now) {
        CachedPass pass = passes.get(key(room, session));
        return pass != null && pass.live(now) ? pass : null;
    }

    /**
     * Returns the pass of the session, or null when there is no valid one. For requests for which the store was called and did not
     * respond. The room keeps the slot of the pass, because this node has not reported its end ({@link #unreported}).
     */
    public @Nullable CachedPass lasting(RoomKey room, String session, long now) {
        CachedPass pass = passes.get(key(room, session));
        return pass != null && pass.lasts(now) ? pass : null;
    }

    /** Stores the pass of a response, or drops the pass; {@code askedAt} is the time of the call on this node's clock. */
    public void note(RoomKey room, String session, AdmissionDecision decision, long askedAt) {
        if (decision.kind() == AdmissionDecision.Kind.ADMITTED) {
            passes.computeIfAbsent(key(room, session), k -> new CachedPass(room, session))
                    .confirm(decision, askedAt);
            ended.remove(key(room, session));
        } else if (decision.kind() != AdmissionDecision.Kind.UNKNOWN) {
            CachedPass pass = passes.remove(key(room, session));
            if (pass != null && pass.lasts(askedAt)) {
                end(room, session, decision.room().now(), pass.confirmed().hard(), askedAt);
            }
        }
    }

    /** Records that the pass of a claim has ended early, if the room of the claim decided so. */
    public void noteEnd(RoomKey room, String session, Claim claim, AdmissionDecision decision, long askedAt) {
        boolean decided = decision.kind() != AdmissionDecision.Kind.ADMITTED
                && decision.kind() != AdmissionDecision.Kind.UNKNOWN
                && decision.room().epoch() == claim.epoch();
        if (decided && claim.end() > decision.room().now()) {
            end(room, session, decision.room().now(), claim.hard(), askedAt);
        }
    }

    /**
     * Drops the pass of a session. Its cookie is not taken for a pass any more.
     *
     * @param roomNow the present time of the room's clock
     * @param now the present time of this node's clock
     */
    public void forget(RoomKey room, String session, long roomNow, long now) {
        CachedPass pass = passes.remove(key(room, session));
        end(room, session, roomNow, pass == null ? 0 : pass.confirmed().hard(), now);
    }

    /**
     * Records that all passes of the session that have begun are over.
     *
     * @param hard hard end of the known pass, which is later than any by the present rules if it began when passes were longer
     */
    private void end(RoomKey room, String session, long roomNow, long hard, long now) {
        long latest = Math.max(roomNow + room.rules().pass(), hard);
        ended.add(key(room, session), new EndedPasses.Ended(now + latest - roomNow, latest));
    }

    /**
     * Returns whether the pass of the session has ended before the end that its cookie claims, as far as this node knows.
     *
     * @param claim claim of the cookie
     */
    public boolean hasEnded(RoomKey room, String session, Claim claim, long now) {
        return ended.has(key(room, session), claim.hard(), now);
    }

    /**
     * Takes the pass of a sealed cookie, for a request for which the store did not respond. The room holds its slot: the end of the claim is
     * in the future, and this node delays its reports from then on.
     *
     * @param roomNow the present time of the room's clock
     * @param now the present time of this node's clock
     */
    public CachedPass take(RoomKey room, String session, Claim claim, long roomNow, long now) {
        CachedPass pass = passes.computeIfAbsent(key(room, session), k -> new CachedPass(room, session));
        pass.take(claim, roomNow, now);
        return pass;
    }

    /** Returns the valid passes of one room, to be reported to a store that lost its memory. */
    public List<CachedPass> lasting(String roomId, long now) {
        List<CachedPass> live = new ArrayList<>();
        for (CachedPass pass : passes.values()) {
            if (pass.room().id().equals(roomId) && pass.lasts(now)) {
                live.add(pass);
            }
        }
        return live;
    }

    /** Drops ended passes, and calls {@code renew} with each pass in use that is due for renewal. */
    public void sweep(long now, Consumer<CachedPass> renew) {
        ended.sweep(now);
        Iterator<CachedPass> all = passes.values().iterator();
        while (all.hasNext()) {
            CachedPass pass = all.next();
            if (!pass.lasts(now)) {
                all.remove();
            } else if (pass.present() && pass.renews(now)) {
                renew.accept(pass);
            }
        }
    }

    /**
     * Drops ended passes, and returns the rooms with passes that are valid longer than the store has confirmed: by room, the earliest of
     * the confirmed ends on this node's clock.
     */
    public Map<String, Long> unreported(long now) {
        Map<String, Long> earliest = new HashMap<>();
        Iterator<CachedPass> all = passes.values().iterator();
        while (all.hasNext()) {
            CachedPass pass = all.next();
            if (!pass.lasts(now)) {
                all.remove();
            } else if (!pass.live(now)) {
                earliest.merge(pass.room().id(), pass.confirmed().until(), Math::min);
            }
        }
        return earliest;
    }

    public int size() {
        return passes.size();
    }

    private static String key(RoomKey room, String session) {
        return room.id() + ' ' + session;
    }
}
