package dev.postern.load.worker;

import dev.postern.ratelimit.queue.AdmissionRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Fresh visits: repeats some work on new visits until it has taken long enough. A name whose hash is computed already
 * is found faster than that of a new cookie.
 */
final class FreshVisits {
    private static final int VISITS = 1 << 17;

    private int turn;

    /**
     * Runs the work and returns its cost, without that of making the visits.
     *
     * @param epoch of the room
     * @param work takes visits and returns their number
     */
    Decisions run(RoomSessions sessions, long epoch, double seconds, ToLongFunction<List<AdmissionRequest>> work) {
        List<Cost> turns = new ArrayList<>();
        double spent = 0;
        while (spent < seconds) {
            List<AdmissionRequest> visits = sessions.again(VISITS, epoch, turn++);
            Cost cost = Cost.of(() -> work.applyAsLong(visits));
            spent += VISITS / cost.perSecond();
            turns.add(cost);
        }
        return new Decisions((long) turns.size() * VISITS, 0, Cost.mean(turns));
    }
}
