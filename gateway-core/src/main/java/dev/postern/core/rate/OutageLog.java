package dev.postern.core.rate;

import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Outage log of one store: logs one line when the store becomes unavailable, one when it is available again, and one a minute in between,
 * independent of how often the state is reported. An outage shorter than a quarter of a second is not logged; the first line waits up to two
 * seconds for a cause, and a cause that is known later gets a line. Thread-safe.
 */
public final class OutageLog {

    static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Grace while the cause is unknown: a client library names it only when it has tried to connect again. */
    static final long CAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    static final long REMINDER_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String store;
    private final Consumer<String> warn;
    private final Consumer<String> info;
    private final Ticker ticker;
    private boolean known;
    private boolean absent;
    private boolean reported;
    private boolean cause;
    private long start;
    private long lastLine;

    /**
     * Creates the log of a store in unknown state.
     *
     * @param store kind and address of the store, without credentials
     */
    public OutageLog(String store, Consumer<String> warn, Consumer<String> info, Ticker ticker) {
        this.store = store;
        this.warn = warn;
        this.info = info;
        this.ticker = ticker;
    }

    /** Reports that the store can be used. */
    public synchronized void available() {
        if (reported) {
            info.accept(store + " is back after " + span(ticker.nanoTime() - start));
        } else if (!known) {
            info.accept(store + " is connected");
        }
        known = true;
        absent = false;
        reported = false;
    }

    /**
     * Reports that the store cannot be used.
     *
     * @param reason in plain words, without credentials
     * @param explained whether the reason names a cause
     */
    public synchronized void unavailable(String reason, boolean explained) {
        long now = ticker.nanoTime();
        if (!absent) {
            absent = true;
            start = now;
        }
        if (!reported && now - start >= (explained ? GRACE_NANOS : CAUSE_NANOS)) {
            reported = true;
            cause = explained;
            lastLine = now;
            warn.accept(store + " is away: " + reason + " (trying again)");
        } else if (reported && (now - lastLine >= REMINDER_NANOS || explained && !cause)) {
            cause |= explained;
            lastLine = now;
            warn.accept(store + " is still away after " + span(now - start) + ": " + reason + " (trying again)");
        }
    }

    private static String span(long nanos) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos);
        return seconds < 60 ? seconds + " s" : seconds / 60 + " min";
    }
}
