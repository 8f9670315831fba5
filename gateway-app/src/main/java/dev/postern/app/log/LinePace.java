package dev.postern.app.log;

import dev.postern.core.pace.Gcra;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Lets so many lines through and no more, whichever event loop they come from. Thread-safe and without locks. */
final class LinePace {

    private final Gcra pace;
    private final LongSupplier nanos;
    private final long origin;
    private final AtomicLong arrival = new AtomicLong();

    /**
     * @param pace in microseconds
     * @param nanos a clock that never goes back
     */
    LinePace(Gcra pace, LongSupplier nanos) {
        this.pace = pace;
        this.nanos = nanos;
        this.origin = nanos.getAsLong();
    }

    /** Whether one more may be written now; if so, it counts. */
    boolean take() {
        long now = (nanos.getAsLong() - origin) / 1000;
        long before = arrival.get();
        while (pace.allows(before, now)) {
            if (arrival.compareAndSet(before, pace.next(before, now))) {
                return true;
            }
            before = arrival.get();
        }
        return false;
    }
}
