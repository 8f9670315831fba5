package dev.postern.ratelimit.queue;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * The nodes that share a room, and up to which instant each has told the room what it knows (docs/adr/0026). Only nodes know who was silent
 * while the room could not be asked, so silence counts no further than all of them have told.
 */
final class NodeTable {

    /** A room that was not called for longer was away. */
    private static final long OUTAGE = 2_000_000;
    /** How exactly the last call is remembered. */
    private static final long CALLED = 250_000;
    /** How much longer than an absence the waiting line waits for a node that says nothing. */
    private static final long PATIENCE = 5_000_000;
    /** How much longer than a pass a node that says nothing counts. */
    private static final long LINGER = 60_000_000;

    private static final Comparator<Map.Entry<String, Long>> EARLIEST =
            Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey());

    private final Map<String, Long> received = new HashMap<>();
    private long called;
    private long resumed;
    private int expected;
    private long frozenUntil;

    void freeze(long end) {
        frozenUntil = end;
    }

    boolean frozen(long now) {
        return now < frozenUntil;
    }

    int size() {
        return received.size();
    }

    void leave(String node) {
        received.remove(node);
    }

    void report(RoomReport report, long epoch, RoomRules rules, long now) {
        if (now - called > CALLED) {
            resumed = now - called > OUTAGE ? now : resumed;
            called = now;
        }
        long instant = instant(report, epoch, now);
        if (instant < now - OUTAGE && now - resumed > CALLED) {
            resumed = now; // it is about to tell of a time in which the room was away for it
        }
        received.merge(report.node(), instant, Math::max);
        if (earliest(Long.MIN_VALUE, now) < now - PATIENCE) {
            drop(report, rules, now);
        }
        int awaited = expected > 0 ? Math.min(expected, report.replicas()) : report.replicas();
        if (frozen(now) && earliest(Long.MIN_VALUE, now) > epoch && received.size() >= awaited) {
            frozenUntil = 0;
        }
    }

    private long instant(RoomReport report, long epoch, long now) {
        if (report.known() == 0) {
            return Math.max(now, epoch + 1); // it knows nothing of this room
        }
        if (report.known() == epoch) {
            return Math.max(Math.min(report.told(), now), epoch + 1);
        }
        expected = Math.max(expected, report.peers());
        return epoch; // it hasn't told what it knew before the room's memory began
    }

    /** A node that was silent for longer than a pass may last knows of none; and of more nodes than there may be one is gone. */
    private void drop(RoomReport report, RoomRules rules, long now) {
        received.values().removeIf(instant -> instant <= now - rules.pass() - LINGER);
        boolean silent = earliest(Long.MIN_VALUE, now) < now - PATIENCE;
        if (silent && report.replicas() > 0 && received.size() > report.replicas()) {
            received.entrySet().stream().min(EARLIEST).ifPresent(gone -> received.remove(gone.getKey()));
        }
    }

    /** Up to when silence ends passes: not at all while nodes have still to tell which passes they know. */
    long silentTo(long now) {
        return frozen(now) ? 0 : earliest(Long.MIN_VALUE, now);
    }

    /** Up to when silence ends places: for a node that says nothing these wait less long. */
    long absentTo(RoomRules rules, long now) {
        long patient = now - rules.absence() - PATIENCE;
        return earliest(resumed > patient ? Long.MIN_VALUE : patient, now);
    }

    private long earliest(long after, long otherwise) {
        long earliest = Long.MAX_VALUE;
        for (long instant : received.values()) {
            if (instant > after) {
                earliest = Math.min(earliest, instant);
            }
        }
        return earliest == Long.MAX_VALUE ? otherwise : earliest;
    }
}
