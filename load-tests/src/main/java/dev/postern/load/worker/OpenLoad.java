package dev.postern.load.worker;

import dev.postern.load.crowd.Crowd;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Open load: call k is due at start + k / rate, whether or not the earlier calls have had a response.
 *
 * <p>Latency counts from the moment when a call was due, so that a stall shows in all calls that had to wait for it (no
 * coordinated omission). The time from the moment when the call was really sent is reported too, since it is free of
 * the driver's own delay.
 */
final class OpenLoad {
    /** Nanoseconds. */
    private static final long HIGHEST = 60_000_000_000L;

    /** Caller of one connection; never used by two threads. */
    interface Caller {
        /** Makes the call and waits for its response; false when the response is not the expected one. */
        boolean call() throws IOException;
    }

    private final Histogram fromDue = new ConcurrentHistogram(HIGHEST, 3);
    private final Histogram fromSend = new ConcurrentHistogram(HIGHEST, 3);
    private final Histogram untilSend = new ConcurrentHistogram(HIGHEST, 3);
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final double rate;
    private final int calls;

    /** @param rate calls per second */
    OpenLoad(double rate, int calls) {
        this.rate = rate;
        this.calls = calls;
    }

    /** Reads the two words of a question. */
    static OpenLoad of(String rate, String calls) {
        return new OpenLoad(Double.parseDouble(rate), Integer.parseInt(calls));
    }

    /** Runs all calls, one thread for each caller. */
    Latencies run(List<? extends Caller> callers) {
        // Starts a little later, so that all threads are running.
        long start = System.nanoTime() + 20_000_000L;
        Crowd.run(callers.size(), number -> () -> drive(callers.get(number), start));
        return new Latencies(
                calls,
                failed.get(),
                micros(fromDue, 50),
                micros(fromDue, 99),
                micros(fromSend, 50),
                micros(fromSend, 99));
    }

    /** Returns the times from when calls were sent to their responses, in nanoseconds. */
    Histogram fromSend() {
        return fromSend;
    }

    /** Returns the times from when calls were due to when they were sent, in nanoseconds. */
    Histogram untilSend() {
        return untilSend;
    }

    private void drive(Caller caller, long start) {
        for (int number = next.getAndIncrement(); number < calls; number = next.getAndIncrement()) {
            long due = start + (long) (number * 1e9 / rate);
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            long sent = System.nanoTime();
            try {
                if (!caller.call()) {
                    failed.incrementAndGet();
                }
            } catch (IOException e) {
                failed.incrementAndGet();
            }
            long now = System.nanoTime();
            fromDue.recordValue(Math.min(HIGHEST, now - due));
            fromSend.recordValue(Math.min(HIGHEST, now - sent));
            untilSend.recordValue(Math.min(HIGHEST, Math.max(0, sent - due)));
        }
    }

    private static double micros(Histogram histogram, double percentile) {
        return histogram.getValueAtPercentile(percentile) / 1e3;
    }
}
