package dev.postern.load.origin;

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
}
