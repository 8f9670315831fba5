package dev.postern.core.rate;

import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Outage log of one store: logs one line when the store becomes unavailable, one when it is available again, and one a minute in between,
 * independent of how often the state is reported. An outage shorter than a quarter of a second is not logged; the first line waits up to two
 * seconds for a cause. A cause that is known later gets a line, another cause than that of the last line one after ten seconds: the first may
 * be a slow start alone, and the second what has to be mended. Thread-safe.
 */
public final class OutageLog {

    static final long GRACE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** Grace while the cause is unknown: a client library names it only when it has tried to connect again. */
    static final long CAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    static final long CHANGE_NANOS = TimeUnit.SECONDS.toNanos(10);

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
    private String lastReason = "";

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
            warn(" is away: ", reason, now);
        } else if (reported && now - lastLine >= pause(reason, explained)) {
            cause |= explained;
            warn(" is still away after " + span(now - start) + ": ", reason, now);
        }
    }

    /** Returns the time after the last line from which a line with this reason is due. */
    private long pause(String reason, boolean explained) {
        if (!explained || reason.equals(lastReason)) {
            return REMINDER_NANOS;
        }
        return cause ? CHANGE_NANOS : 0;
    }

    private void warn(String state, String reason, long now) {
        lastLine = now;
        lastReason = reason;
        warn.accept(store + state + reason + " (trying again)");
    }

    private static String span(long nanos) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos);
        return seconds < 60 ? seconds + " s" : seconds / 60 + " min";
    }
}
