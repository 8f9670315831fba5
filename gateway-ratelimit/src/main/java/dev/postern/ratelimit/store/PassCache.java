package dev.postern.ratelimit.store;

import dev.postern.ratelimit.queue.AdmissionDecision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The live passes that this node has seen: what lets an admitted session pass without a question, also while the store is away.
 *
 * <p>Safe for the bound, because the store keeps the slot until the very end that is mirrored here, and longer until this node tells that it
 * has forgotten the pass. As large as the rooms' bounds allow
 * at most. Thread-safe.
 */
public final class PassCache {

    private final Map<String, CachedPass> passes = new ConcurrentHashMap<>();

    /** The pass of that session, or null when this node knows of no live one. */
    public @Nullable CachedPass find(RoomKey room, String session, long now) {
        CachedPass pass = passes.get(key(room, session));
        return pass != null && pass.live(now) ? pass : null;
    }

    /**
     * The pass of that session, or null when none lasts: for requests about which the store was asked and did not answer. The room keeps its
     * slot, because this node has not told it otherwise ({@link #untold}).
     */
    public @Nullable CachedPass lasting(RoomKey room, String session, long now) {
        CachedPass pass = passes.get(key(room, session));
        return pass != null && pass.lasts(now) ? pass : null;
    }

    /** Takes note of a response to a question that was asked at that instant of this node's clock. */
    public void note(RoomKey room, String session, AdmissionDecision decision, long askedAt) {
        if (decision.kind() == AdmissionDecision.Kind.ADMITTED) {
            passes.computeIfAbsent(key(room, session), k -> new CachedPass(room, session))
                    .confirm(decision, askedAt);
        } else if (decision.kind() != AdmissionDecision.Kind.UNKNOWN) {
            passes.remove(key(room, session));
        }
    }

    public void forget(RoomKey room, String session) {
        passes.remove(key(room, session));
    }

    /** The passes of one room that last: what a store that lost its memory must be told. */
    public List<CachedPass> lasting(String roomId, long now) {
        List<CachedPass> live = new ArrayList<>();
        for (CachedPass pass : passes.values()) {
            if (pass.room().id().equals(roomId) && pass.lasts(now)) {
                live.add(pass);
            }
        }
        return live;
    }

    /** Drops what has ended, and hands over each pass in use that is due to be renewed. */
    public void sweep(long now, Consumer<CachedPass> renew) {
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
     * Drops what has ended, and says of which rooms this node knows passes that last longer than the store has confirmed: by room, the earliest
     * of the confirmed ends on this node's clock.
     */
    public Map<String, Long> untold(long now) {
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
