package dev.postern.core.redis;

import java.util.concurrent.TimeUnit;

/**
 * Rule when a connection to Redis is replaced, with a new look-up of the name: at once after a reply that another server may not give, and
 * after {@value #PATIENCE_SECONDS} s without a good reply; not before the connection is a second old. One object per connection. Thread-safe;
 * times are nanoseconds of one ticker.
 */
public final class RedisConnectionRule {

    /** Time without a good reply: the peer may have vanished, which the kernel notices in minutes, or cannot serve. */
    static final long PATIENCE_SECONDS = 3;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);

    /** Limits the attempts while no other server has taken over. */
    private static final long LEAST_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long madeAt;

    /** Whether a reply was expected since the last good one, and since when. */
    private volatile boolean waiting;

    private volatile long waitingSince;

    /** Whether a reply said that this server, or this login, is the wrong one. Good replies do not change it: a replica can read. */
    private volatile boolean condemned;

    /** @param now time at which the connection was made */
    public RedisConnectionRule(long now) {
        this.madeAt = now;
    }

    /** Takes a good reply. */
    public void good() {
        if (waiting) {
            waiting = false;
        }
    }

    /** Takes that a reply is expected from now on, or that a call failed. */
    public void expected(long now) {
        if (!waiting) {
            waitingSince = now;
            waiting = true;
        }
    }

    /** Takes a failed call. */
    public void bad(RedisFault fault, long now) {
        expected(now);
        if (fault.elsewhere()) {
            condemned = true;
        }
    }

    /** Returns whether the connection must be replaced. */
    public boolean replace(long now) {
        return condemned && now - madeAt >= LEAST_AGE_NANOS || waiting && now - waitingSince >= PATIENCE_NANOS;
    }
}
