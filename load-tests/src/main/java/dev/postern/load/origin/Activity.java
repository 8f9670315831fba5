package dev.postern.load.origin;

import dev.postern.load.origin.Stretches.Stretch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Activity of sessions: from the arrival of a session's first served request to the sending of its last one, where no
 * gap between two requests is longer than allowed. All times in microseconds.
 *
 * <p>A request that is on its way when a pass ends, while its slot goes to another session, therefore extends no
 * activity. Thread-safe.
 */
final class Activity {
    private final long gap;
    private final Map<String, Stretch> latest = new HashMap<>();
    private final List<Stretch> earlier = new ArrayList<>();

    /** @param gap silence after which a session is no longer active; a later request makes it active again */
    Activity(long gap) {
        this.gap = gap;
    }

    /** @param sent when the client sent the request; never later than the gateway let it through */
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
