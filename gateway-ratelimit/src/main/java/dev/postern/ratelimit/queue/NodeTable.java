package dev.postern.ratelimit.queue;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/**
 * Table of the nodes that share a room, with the time up to which each node has reported (docs/adr/0026). During an outage of the store
 * only the nodes know which sessions were active. Therefore silence ends passes and places only up to the watermark: the earliest time
 * up to which all nodes have reported.
 */
final class NodeTable {

    /** A longer time without a call is an outage. */
    private static final long OUTAGE = 2_000_000;
    /** Resolution of the time of the last call. */
    private static final long CALLED = 250_000;
    /** Time after which a silent node is dropped if there are more nodes than replicas. */
    private static final long SURPLUS = 5_000_000;
    /** Time, in addition to an absence, for which a silent node delays the end of places: its process may be paused. */
    private static final long PATIENCE = 10_000_000;
    /** Time, in addition to a pass, after which a silent node is dropped. */
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
        long instant = instant(report, epoch, rules, now);
        if (instant < now - OUTAGE && now - resumed > CALLED) {
            resumed = now; // the node is about to report a time in which it could not reach the room
        }
        received.merge(report.node(), instant, Math::max);
        if (earliest(Long.MIN_VALUE, now) < now - SURPLUS) {
            drop(report, rules, now);
        }
        int awaited = expected > 0 ? Math.min(expected, report.replicas()) : report.replicas();
        if (frozen(now) && earliest(Long.MIN_VALUE, now) > epoch && received.size() >= awaited) {
            frozenUntil = 0;
        }
    }

    private long instant(RoomReport report, long epoch, RoomRules rules, long now) {
        if (report.known() == 0) {
            return Math.max(now, epoch + 1); // the node knows nothing of this room
        }
        if (report.known() == epoch) {
            return Math.max(Math.min(report.reported(), now), epoch + 1);
        }
        expected = Math.max(expected, report.peers());
        // A node without knowledge may have been first after the loss, so that the room seemed to be new.
        frozenUntil = Math.max(frozenUntil, epoch + rules.pass());
        return epoch; // the node hasn't yet reported what it knew before the room's memory began
    }

    /** Drops nodes that were silent for longer than a pass can last, and one silent node if there are more nodes than replicas. */
    private void drop(RoomReport report, RoomRules rules, long now) {
        received.values().removeIf(instant -> instant <= now - rules.pass() - LINGER);
        boolean silent = earliest(Long.MIN_VALUE, now) < now - SURPLUS;
        if (silent && report.replicas() > 0 && received.size() > report.replicas()) {
            received.entrySet().stream().min(EARLIEST).ifPresent(gone -> received.remove(gone.getKey()));
        }
    }

    /** Returns the watermark for passes: 0 while frozen, since nodes must still report which passes they know. */
    long silentTo(long now) {
        return frozen(now) ? 0 : earliest(Long.MIN_VALUE, now);
    }

    /** Returns the watermark for places, which omits a silent node earlier than the watermark for passes. */
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
