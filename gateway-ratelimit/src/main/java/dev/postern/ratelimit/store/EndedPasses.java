package dev.postern.ratelimit.store;

import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ended passes: those that ended before the end that the cookies of their sessions claim, because they were revoked. While the store is
 * unavailable, nothing else tells such a cookie from a valid one. A session may have got another pass since, also from another node: its hard
 * end is later than those of all passes that had begun when one of them ended. Thread-safe.
 */
final class EndedPasses {

    /** Maximum number of entries; above it, another one is removed for a new one. */
    static final int MAX = 65_536;

    private final Map<String, Ended> ends = new ConcurrentHashMap<>();

    /**
     * Ended passes of a session.
     *
     * @param until time of this node's clock after which no cookie claims them any more
     * @param hard the latest hard end that they can have, on the room's clock
     */
    record Ended(long until, long hard) {

        private Ended later(Ended other) {
            return new Ended(Math.max(until, other.until), Math.max(hard, other.hard));
        }
    }

    void add(String session, Ended passes) {
        if (ends.size() >= MAX) {
            Iterator<String> any = ends.keySet().iterator();
            if (any.hasNext()) {
                any.next();
                any.remove();
            }
        }
        ends.merge(session, passes, Ended::later);
    }

    void remove(String session) {
        ends.remove(session);
    }

    /** @param hard hard end of the pass, on the room's clock */
    boolean has(String session, long hard, long now) {
        Ended known = ends.get(session);
        return known != null && known.until > now && hard <= known.hard;
    }

    /** Removes passes that no cookie claims any more. */
    void sweep(long now) {
        ends.values().removeIf(known -> known.until <= now);
    }

    int size() {
        return ends.size();
    }
}
