package dev.postern.core.upstream.pool;

import dev.postern.core.upstream.endpoint.UpstreamSettings;
import java.time.Duration;

/**
 * Timeout of idle connections, adapted to the upstream. Upstreams close idle connections after a limit of their own, and a request sent at
 * that moment gets no response. So the gateway learns the limit, from {@code Keep-Alive: timeout} or from observed closes, and stays below.
 * Thread-safe; times are those of one ticker.
 *
 * <p>A limit is learnt from connections that the upstream closed at the same age at different times. Connections closed all at once
 * indicate a restart, and are not counted. A learnt limit expires, since connections that the gateway closes first can't show that the
 * limit has grown.
 */
final class AdaptiveIdleTimeout {

    /** Factor of the upstream's own limit. */
    private static final double PART = 0.8;

    private static final int REMEMBERED = 8;
    private static final int ENOUGH = 3;
    private static final long LEAST = Duration.ofMillis(200).toNanos();
    private static final long APART = Duration.ofSeconds(1).toNanos();
    private static final long SPREAD = Duration.ofMillis(100).toNanos();
    private static final long KEPT = Duration.ofMinutes(10).toNanos();

    private final long max;
    private final boolean learns;
    private final long[] ages = new long[REMEMBERED];
    private final long[] times = new long[REMEMBERED];
    private int seen;
    private volatile long learnt;
    private volatile long learntAt;

    AdaptiveIdleTimeout(UpstreamSettings.Pool pool) {
        this.max = pool.idle().toNanos();
        this.learns = pool.learnIdle();
    }

    /** Returns the age at which an idle connection is closed. */
    long nanos(long now) {
        long limit = learnt;
        return limit == 0 || now - learntAt > KEPT ? max : limit;
    }

    /** Learns the limit that the upstream announced; true when the timeout changes. */
    boolean announced(long seconds, long now) {
        long own = (long) (PART * Duration.ofSeconds(seconds).toNanos());
        if (!learns || own < LEAST || own >= max) {
            return false;
        }
        boolean news = nanos(now) != own;
        if (news || now - learntAt > KEPT / 2) {
            learntAt = now;
            learnt = own;
        }
        return news;
    }

    /** Learns from a connection that the upstream closed after being idle for {@code age}; true when the timeout changes. */
    synchronized boolean closed(long age, long now) {
        if (!learns || age < LEAST) {
            return false;
        }
        ages[seen % REMEMBERED] = age;
        times[seen % REMEMBERED] = now;
        seen++;
        long own = (long) (PART * alike(age, now));
        if (own == 0 || own >= nanos(now)) {
            return false;
        }
        learntAt = now;
        learnt = own;
        return true;
    }

    /** Returns the smallest of the ages close to this one, if enough of them occurred at different times; else 0. */
    private long alike(long age, long now) {
        long tolerance = Math.max(SPREAD, age / 20);
        long min = age;
        int count = 0;
        boolean apart = false;
        for (int i = 0; i < Math.min(seen, REMEMBERED); i++) {
            if (Math.abs(ages[i] - age) <= tolerance) {
                count++;
                min = Math.min(min, ages[i]);
                apart |= now - times[i] >= APART;
            }
        }
        return count >= ENOUGH && apart ? min : 0;
    }
}
