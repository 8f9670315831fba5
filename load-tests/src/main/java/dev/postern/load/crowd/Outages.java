package dev.postern.load.crowd;

import java.time.Duration;

/**
 * Which passes are live for certain while Redis is away, told from outside. A pass lasts at least as long after its session's first request
 * was sent as a pass may last; and as long after the outage began as the silence that ends it, less the time since a gateway last renewed it.
 * Thread-safe.
 */
final class Outages {
    /** A gateway renews passes in use when a quarter of the silence has gone by, and looks four times a second. */
    private static final long LOOKS = 250_000;
    /** For requests on their way, and for the renewal's own round trip. */
    private static final long MARGIN = 250_000;

    private final long pass;
    private final long certain;
    private volatile Outage latest = new Outage(-1, Long.MAX_VALUE);

    /**
     * @param pass how long a pass lasts at most
     * @param idle the silence that ends it
     */
    Outages(Duration pass, Duration idle) {
        this.pass = pass.toNanos() / 1000 - MARGIN;
        this.certain = idle.toNanos() / 1000 * 3 / 4 - LOOKS - MARGIN;
    }

    private record Outage(int number, long began) {}

    /** From this instant on nothing is known of Redis. */
    void begin(int number, long now) {
        latest = new Outage(number, now);
    }

    /**
     * The outage in which a request is owed a response of the site, or -1.
     *
     * @param firstSent when the first request of its session that was served was sent; 0 for none
     */
    int owing(long firstSent, long now) {
        Outage outage = latest;
        boolean known = firstSent > 0 && firstSent < outage.began - MARGIN;
        boolean live = now >= outage.began && now < outage.began + certain && now < firstSent + pass;
        return known && live ? outage.number : -1;
    }
}
