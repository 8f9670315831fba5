package dev.postern.core.upstream;

import java.time.Duration;

/**
 * How long an unused connection may be kept. Upstreams have a limit of their own, after which they close it; whoever sends a request at that
 * moment gets nothing back. So the limit is learnt, from {@code Keep-Alive: timeout} or from what the upstream does, and ours stays below. Thread-safe;
 * times are those of {@link System#nanoTime}.
 *
 * <p>What it does: connections closed at the same age at different times. All closed at once are a restart, and teach nothing. What was learnt
 * by watching is forgotten after a while, since connections that we close first can't teach that the limit has grown.
 */
final class AdaptiveIdleTimeout {

    /** Of the upstream's own limit. */
    private static final double PART = 0.8;

    private static final int REMEMBERED = 8;
    private static final int ENOUGH = 3;
    private static final long LEAST = Duration.ofMillis(200).toNanos();
    private static final long APART = Duration.ofSeconds(1).toNanos();
    private static final long SPREAD = Duration.ofMillis(100).toNanos();
    private static final long KEPT = Duration.ofMinutes(10).toNanos();

    private final long most;
    private final boolean learns;
    private final long[] ages = new long[REMEMBERED];
    private final long[] times = new long[REMEMBERED];
    private int seen;
    private volatile long learnt;
    private volatile long learntAt;

    AdaptiveIdleTimeout(UpstreamSettings.Pool pool) {
        this.most = pool.idle().toNanos();
        this.learns = pool.learnIdle();
    }

    /** An unused connection is closed when it is so old. */
    long nanos(long now) {
        long limit = learnt;
        return limit == 0 || now - learntAt > KEPT ? most : limit;
    }

    /** The upstream says how long it keeps an unused connection; true when that changes anything. */
    boolean told(long seconds, long now) {
        long own = (long) (PART * Duration.ofSeconds(seconds).toNanos());
        if (!learns || own < LEAST || own >= most) {
            return false;
        }
        boolean news = nanos(now) != own;
        if (news || now - learntAt > KEPT / 2) {
            learntAt = now;
            learnt = own;
        }
        return news;
    }

    /** The upstream closed a connection that had been unused for so long; true when that changes anything. */
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

    /** The least of the ages that are about this one, if there are enough of them at different times; else 0. */
    private long alike(long age, long now) {
        long tolerance = Math.max(SPREAD, age / 20);
        long least = age;
        int count = 0;
        boolean apart = false;
        for (int i = 0; i < Math.min(seen, REMEMBERED); i++) {
            if (Math.abs(ages[i] - age) <= tolerance) {
                count++;
                least = Math.min(least, ages[i]);
                apart |= now - times[i] >= APART;
            }
        }
        return count >= ENOUGH && apart ? least : 0;
    }
}
