package dev.postern.ratelimit.handler;

import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Subresource hold: a short wait for requests of an admitted page or session. Uses a timer and no thread, and limits the number of waiting
 * exchanges. Thread-safe.
 */
public final class SubresourceHold {

    /** Maximum time for which one exchange is held, in microseconds. */
    static final long LONGEST = 2_000_000;

    private static final long SHORTEST = 20_000;
    private static final int MAX = 4096;

    private final AtomicInteger held = new AtomicInteger();

    /**
     * Runs {@code resume} after the wait, unless the wait would be too long or too many exchanges wait already. Times are in microseconds.
     *
     * @param start time at which the exchange came to this stage
     * @return false when the exchange is not held
     */
    boolean hold(EventLoop loop, long start, long now, long retry, Runnable resume) {
        long wait = Math.max(SHORTEST, Math.min(retry, start + LONGEST - now));
        if (now + wait > start + LONGEST || held.get() >= MAX) {
            return false;
        }
        held.incrementAndGet();
        loop.schedule(
                () -> {
                    held.decrementAndGet();
                    resume.run();
                },
                wait,
                TimeUnit.MICROSECONDS);
        return true;
    }

    int held() {
        return held.get();
    }
}
