package dev.postern.core.rate;

import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Limits the rate of log lines that clients can cause without end, over all event loops. Thread-safe and without locks. */
public final class LogRateLimiter {

    private final Gcra pace;
    private final Ticker ticker;
    private final long origin;
    private final AtomicLong arrival = new AtomicLong();

    /** Creates a limiter for one line a second. */
    public LogRateLimiter(Ticker ticker) {
        this(Duration.ofSeconds(1), ticker);
    }

    /** Creates a limiter for one line per {@code pause}. */
    public LogRateLimiter(Duration pause, Ticker ticker) {
        this(Gcra.of(1, TimeUnit.NANOSECONDS.toMicros(pause.toNanos()), 0), ticker);
    }

    /** @param pace in microseconds */
    public LogRateLimiter(Gcra pace, Ticker ticker) {
        this.pace = pace;
        this.ticker = ticker;
        this.origin = ticker.nanoTime();
    }

    /** Returns a limiter of the same pace and ticker for other lines. */
    public LogRateLimiter another() {
        return new LogRateLimiter(pace, ticker);
    }

    /** Returns whether one more line may be logged now; if so, the line counts. */
    public boolean tryAcquire() {
        long micros = (ticker.nanoTime() - origin) / 1000;
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
