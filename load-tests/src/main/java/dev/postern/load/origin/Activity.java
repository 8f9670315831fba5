package dev.postern.load.origin;

import dev.postern.load.origin.Stretches.Stretch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * When sessions were active: from the arrival of a session's first request to the sending of its last one that was served, where no gap
 * between two of them is longer than allowed. All times in microseconds.
 *
 * <p>What is still on its way when a pass ends, and its slot goes to somebody else, therefore counts for neither. Thread-safe.
 */
final class Activity {
    private final long gap;
    private final Map<String, Stretch> latest = new HashMap<>();
    private final List<Stretch> earlier = new ArrayList<>();

    /** @param gap silence after which a session is no longer active, and becomes active again when it returns */
    Activity(long gap) {
        this.gap = gap;
    }

    /** @param sent when the client sent it; never later than the gateway let it through */
    synchronized void served(String session, long sent, long arrived) {
        Stretch known = latest.get(session);
        if (known == null) {
            latest.put(session, new Stretch(arrived, sent, session));
        } else if (sent - known.last() > gap) {
            earlier.add(known);
            latest.put(session, new Stretch(arrived, sent, session));
        } else {
            long first = Math.min(known.first(), arrived);
            latest.put(session, new Stretch(first, Math.max(known.last(), sent), session));
        }
    }

    synchronized Stretches stretches() {
        List<Stretch> all = new ArrayList<>(earlier);
        all.addAll(latest.values());
        return new Stretches(all);
    }
}
