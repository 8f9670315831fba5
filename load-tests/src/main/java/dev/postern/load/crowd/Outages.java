package dev.postern.load.crowd;

import java.time.Duration;

/**
 * Outages of Redis, with a lower bound of the passes that are live meanwhile, computed from the client's side. A pass
 * lasts at least its maximum lifetime, counted from when the first request of its session was sent; and at least the
 * silence that ends it, counted from the start of the outage, less the time since a gateway last renewed it.
 * Thread-safe.
 */
final class Outages {
    /** A gateway renews passes in use after a quarter of the silence, and checks four times a second. */
    private static final long LOOKS = 250_000;
    /** Allows for requests on their way, and for the round trip of a renewal. */
    private static final long MARGIN = 250_000;

    private final long pass;
    private final long certain;
    private volatile Outage latest = new Outage(-1, Long.MAX_VALUE);

    /**
     * @param pass maximum lifetime of a pass
     * @param idle the silence that ends it
     */
    Outages(Duration pass, Duration idle) {
        this.pass = pass.toNanos() / 1000 - MARGIN;
        this.certain = idle.toNanos() / 1000 * 3 / 4 - LOOKS - MARGIN;
    }

    private record Outage(int number, long began) {}

    /** Notes the instant from which the state of Redis is unknown. */
    void begin(int number, long now) {
        latest = new Outage(number, now);
    }

    /**
     * Returns the outage in which the site owes a request a response of its own, or -1.
     *
     * @param firstSent when the first served request of the session was sent; 0 if none was served
     */
    int owing(long firstSent, long now) {
        Outage outage = latest;
        boolean known = firstSent > 0 && firstSent < outage.began - MARGIN;
        boolean live = now >= outage.began && now < outage.began + certain && now < firstSent + pass;
        return known && live ? outage.number : -1;
    }
}
