package dev.postern.ratelimit.queue;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Active sessions of a room, with their passes. Never more than the rules allow: only {@link Room} adds, in the step that checks. */
final class ActiveSessions {

    private final Map<String, Pass> bySession = new HashMap<>();
    private final TreeSet<Pass> byEnd =
            new TreeSet<>(Comparator.comparingLong((Pass p) -> p.end).thenComparing((Pass p) -> p.session));
    /** Passes that were not revoked. */
    private final TreeSet<Pass> byHardEnd =
            new TreeSet<>(Comparator.comparingLong((Pass p) -> p.hard).thenComparing((Pass p) -> p.session));

    private long hold;

    int size() {
        return bySession.size();
    }

    /** Returns how long a slot is held, as a moving average over released slots. */
    long hold(RoomRules rules) {
        return hold == 0 ? rules.firstHold() : hold;
    }

    void put(String session, long start, long end, long hard) {
        remove(bySession.get(session));
        Pass pass = new Pass(session, start, hard);
        pass.end = end;
        bySession.put(session, pass);
        byEnd.add(pass);
        byHardEnd.add(pass);
    }

    @Nullable
    Pass get(String session) {
        return bySession.get(session);
    }

    void extend(Pass pass, long end) {
        byEnd.remove(pass);
        pass.end = end;
        byEnd.add(pass);
    }

    /** Revokes the pass, which keeps its slot until no node can still accept the pass. */
    void revoke(Pass pass) {
        byHardEnd.remove(pass);
        pass.hard = 0;
    }

    /**
     * Drops ended passes.
     *
     * @param silentTo the watermark: a pass ends by silence when its end is at or before this time; hard ends apply always
     */
    void dropEnded(long silentTo, long now, RoomRules rules) {
        for (int i = 0; i < RoomRules.PURGE && !byEnd.isEmpty() && byEnd.first().end <= silentTo; i++) {
            drop(byEnd.first(), rules);
        }
        for (int i = 0; i < RoomRules.PURGE && !byHardEnd.isEmpty() && byHardEnd.first().hard <= now; i++) {
            drop(byHardEnd.first(), rules);
        }
    }

    private void drop(Pass pass, RoomRules rules) {
        remove(pass);
        long average = hold(rules);
        hold = Math.max(1, average + Math.floorDiv(pass.end - pass.start - average, 8L));
    }

    private void remove(@Nullable Pass pass) {
        if (pass != null) {
            byEnd.remove(pass);
            byHardEnd.remove(pass);
            bySession.remove(pass.session);
        }
    }

    /** Pass of a session: the right to use the site for a limited time. */
    static final class Pass {

        private final String session;
        private final long start;
        private long hard;
        private long end;

        Pass(String session, long start, long hard) {
            this.session = session;
            this.start = start;
            this.hard = hard;
        }

        long end() {
            return end;
        }

        /** Returns the hard end; 0 for a revoked pass, which only keeps its slot. */
        long hard() {
            return hard;
        }
    }
}
