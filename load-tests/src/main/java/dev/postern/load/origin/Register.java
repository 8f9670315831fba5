package dev.postern.load.origin;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The origin's book about one crowd. Thread-safe. */
final class Register {
    /** How long a crowd may take to settle: longer than a page let through at the base rate may go on fetching. */
    static final Duration SETTLING = Duration.ofSeconds(10);

    private final Activity activity;
    private final Pages pages;
    private final AtomicLong served = new AtomicLong();

    Register(Rules rules) {
        activity = new Activity(rules.gap());
        pages = new Pages(rules.parts());
    }

    /**
     * How it counts.
     *
     * @param gap in microseconds, as {@link Activity} wants it
     * @param parts of a whole page
     */
    record Rules(long gap, int parts) {}

    /**
     * One request that was served.
     *
     * @param session who sent it, as the client itself says
     * @param page the page that it belongs to, or empty
     * @param counts whether it is one of those that decide
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

    /** When who was active. */
    Stretches stretches() {
        return activity.stretches();
    }

    Counters counters() {
        Stretches stretches = stretches();
        long begin = stretches.all().stream()
                .findFirst()
                .map(Stretches.Stretch::first)
                .orElse(0L);
        long settled = begin + SETTLING.toNanos() / 1000;
        return new Counters(
                served.get(),
                stretches.peak(begin, Long.MAX_VALUE),
                stretches.peak(settled, Long.MAX_VALUE),
                pages.whole(),
                pages.half());
    }
}
