package dev.postern.load.crowd;

import dev.postern.load.crowd.Stretches.Stretch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** Register of an origin about one crowd. Thread-safe. */
final class Register {
    private final Activity activity;
    private final Pages pages;
    private final AtomicLong served = new AtomicLong();

    /**
     * @param gap in microseconds, as for {@link Activity}
     * @param parts of a whole page
     */
    Register(long gap, int parts) {
        activity = new Activity(gap);
        pages = new Pages(parts);
    }

    /**
     * One request that was served.
     *
     * @param session name of the session, as the client sends it
     * @param page the page of the request, or empty
     * @param counts whether the request is included in the counters
     * @param sent by the client's clock
     * @param arrived by the origin's clock
     */
    record Visit(String session, String page, String part, boolean counts, long sent, long arrived) {}

    void served(Visit visit) {
        activity.served(visit.session(), visit.sent(), visit.arrived());
        if (!visit.page().isEmpty()) {
            pages.served(visit.page(), visit.part());
        }
        if (visit.counts()) {
            served.incrementAndGet();
        }
    }

    /** Returns the times of activity of all sessions. */
    Stretches stretches() {
        return activity.stretches();
    }

    Counters counters() {
        return new Counters(served.get(), pages.whole(), pages.half());
    }

    /**
     * Pages that were served, whole or in part: a page is whole when its document and all its assets were served.
     * Thread-safe.
     */
    static final class Pages {
        private final int parts;
        private final Map<String, Set<String>> served = new HashMap<>();

        /** @param parts of a whole page, including its document */
        Pages(int parts) {
            this.parts = parts;
        }

        synchronized void served(String page, String part) {
            served.computeIfAbsent(page, name -> new HashSet<>()).add(part);
        }

        synchronized int whole() {
            return Collections.frequency(served.values().stream().map(Set::size).toList(), parts);
        }

        /** Returns the number of pages of which a part is missing. */
        synchronized int half() {
            return served.size() - whole();
        }
    }

    /**
     * Activity of sessions: from the arrival of a session's first served request to the sending of its last one, where no
     * gap between two requests is longer than allowed. All times in microseconds.
     *
     * <p>A request that is on its way when a pass ends, while its slot goes to another session, therefore extends no
     * activity. Thread-safe.
     */
    static final class Activity {
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
}
