package dev.postern.load.crowd;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * When sessions were active: from the arrival of a session's first request to the sending of its last one that was served, where no gap
 * between two of them is longer than allowed. All times in microseconds.
 *
 * <p>What is still on its way when a pass ends, and its slot goes to somebody else, therefore counts for neither: a session that was served
 * once has no length. Thread-safe.
 */
final class Activity {
    private final long gap;
    private final Map<String, Stretch> latest = new HashMap<>();
    private final List<Stretch> earlier = new ArrayList<>();

    /** @param gap silence after which a session is no longer active, and becomes active again when it returns */
    Activity(long gap) {
        this.gap = gap;
    }

    private record Stretch(String session, long first, long last) {}

    /** @param sent when the client sent it; never later than the gateway let it through */
    synchronized void served(String session, long sent, long arrived) {
        Stretch known = latest.get(session);
        if (known == null) {
            latest.put(session, new Stretch(session, arrived, sent));
        } else if (sent - known.last > gap) {
            earlier.add(known);
            latest.put(session, new Stretch(session, arrived, sent));
        } else {
            latest.put(session, new Stretch(session, Math.min(known.first, arrived), Math.max(known.last, sent)));
        }
    }

    /** The most sessions that were active at one instant from then on. */
    synchronized int peak(long from) {
        List<long[]> changes = new ArrayList<>();
        for (Stretch stretch : all()) {
            long first = Math.max(from, stretch.first);
            if (stretch.last >= first) {
                changes.add(new long[] {first, 1});
                changes.add(new long[] {stretch.last, -1});
            }
        }
        // Who comes at the instant at which another leaves meets them.
        changes.sort(Comparator.comparingLong((long[] change) -> change[0]).thenComparingLong(change -> -change[1]));
        int active = 0;
        int most = 0;
        for (long[] change : changes) {
            active += (int) change[1];
            most = Math.max(most, active);
        }
        return most;
    }

    /** When sessions became active, in order. */
    synchronized List<Long> starts() {
        return all().stream().map(Stretch::first).sorted().toList();
    }

    /** A line per time of activity, in order: its beginning, its end, and whose it was. */
    synchronized String text() {
        return all().stream()
                .sorted(Comparator.comparingLong(Stretch::first))
                .map(stretch -> stretch.first + " " + stretch.last + " " + stretch.session + "\n")
                .collect(Collectors.joining());
    }

    private List<Stretch> all() {
        List<Stretch> all = new ArrayList<>(earlier);
        all.addAll(latest.values());
        return all;
    }
}
