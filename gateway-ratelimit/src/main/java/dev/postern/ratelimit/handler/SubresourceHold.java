package dev.postern.ratelimit.handler;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A short wait for what belongs to a page that was let through: a timer, no thread, and only so many at once. Thread-safe.
 */
public final class SubresourceHold {

    /** How long one exchange is kept at most, in microseconds. */
    static final long LONGEST = 2_000_000;

    private static final long SHORTEST = 20_000;
    private static final int MAX = 4096;

    private final AtomicInteger parked = new AtomicInteger();

    /**
     * Runs {@code again} after the wait, unless that would be too long or too many wait already.
     *
     * @param start when the exchange came to this stage, {@code now} and {@code retry} in microseconds
     * @return false when it may not park
     */
    boolean park(EventLoop loop, long start, long now, long retry, Runnable again) {
        long wait = Math.max(SHORTEST, Math.min(retry, start + LONGEST - now));
        if (now + wait > start + LONGEST || parked.get() >= MAX) {
            return false;
        }
        parked.incrementAndGet();
        loop.schedule(
                () -> {
                    parked.decrementAndGet();
                    again.run();
                },
                wait,
                TimeUnit.MICROSECONDS);
        return true;
    }

    int parked() {
        return parked.get();
    }
}
