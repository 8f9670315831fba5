package dev.postern.core.rate;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Limits the rate of log lines that clients can cause without end, over all event loops. Thread-safe and without locks. */
public final class LogRateLimiter {

    private final Gcra pace;
    private final LongSupplier nanos;
    private final long origin;
    private final AtomicLong arrival = new AtomicLong();

    /** Creates a limiter for one line a second. */
    public LogRateLimiter() {
        this(Duration.ofSeconds(1));
    }

    /** Creates a limiter for one line per {@code pause}. */
    public LogRateLimiter(Duration pause) {
        this(Gcra.of(1, TimeUnit.NANOSECONDS.toMicros(pause.toNanos()), 0), System::nanoTime);
    }

    /** @param pace in microseconds */
    public LogRateLimiter(Gcra pace) {
        this(pace, System::nanoTime);
    }

    /** @param nanos a clock that never goes back */
    public LogRateLimiter(Gcra pace, LongSupplier nanos) {
        this.pace = pace;
        this.nanos = nanos;
        this.origin = nanos.getAsLong();
    }

    /** Returns whether one more line may be logged now; if so, the line counts. */
    public boolean tryAcquire() {
        long micros = (nanos.getAsLong() - origin) / 1000;
        long previous = arrival.get();
        while (pace.allows(previous, micros)) {
            if (arrival.compareAndSet(previous, pace.next(previous, micros))) {
                return true;
            }
            previous = arrival.get();
        }
        return false;
    }
}
