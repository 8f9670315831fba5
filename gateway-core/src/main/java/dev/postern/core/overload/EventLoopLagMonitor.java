package dev.postern.core.overload;

import io.netty.channel.EventLoop;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long a task waits until its event loop runs it. Each loop is sent one task at a time, and counts with the last one that ran: a single
 * long turn is one sample, however long. A loop that never comes back is no overload; {@code /livez} finds it.
 *
 * <p>Counted is the lag that at least half of the loops have: one connection can keep one loop busy, and must not be able to have everybody
 * else refused by that. The {@link #worst} of any loop is for people to look at.
 */
final class EventLoopLagMonitor {

    /** Some seconds' worth of samples. */
    static final int REMEMBERED = 20;

    private final Probe[] probes;
    private final long[] lags;
    private final long[] longest = new long[REMEMBERED];
    private int samples;
    private volatile double worst;

    EventLoopLagMonitor(List<EventLoop> loops) {
        this.probes = loops.stream().map(Probe::new).toArray(Probe[]::new);
        this.lags = new long[probes.length];
    }

    /** Seconds, of the samples that were sent before; sends the next. By one thread. */
    double seconds() {
        long most = 0;
        for (int i = 0; i < probes.length; i++) {
            most = Math.max(most, probes[i].waiting());
            lags[i] = probes[i].lag();
            most = Math.max(most, lags[i]);
        }
        longest[samples++ % REMEMBERED] = most;
        worst = Arrays.stream(longest).max().orElse(0) / 1e9;
        return typical(lags) / 1e9;
    }

    /** Seconds that a task waited for any loop, or waits still, at most in the last samples; from any thread. */
    double worst() {
        return worst;
    }

    /** What at least half of them reach; sorts them. */
    static long typical(long[] lags) {
        Arrays.sort(lags);
        return lags.length == 0 ? 0 : lags[lags.length / 2];
    }

    /** One loop's. */
    private static final class Probe implements Runnable {

        private static final long NONE = -1;

        private final EventLoop loop;
        private final AtomicLong responded = new AtomicLong();
        private long sent;
        private long last;

        Probe(EventLoop loop) {
            this.loop = loop;
        }

        long lag() {
            long returned = responded.get();
            if (returned == NONE) {
                return last;
            }
            last = returned;
            responded.set(NONE);
            sent = System.nanoTime();
            try {
                loop.execute(this);
            } catch (RejectedExecutionException e) {
                responded.set(0); // the process is ending
            }
            return last;
        }

        /** Nanoseconds since a task was sent that has not run yet; 0 for none. */
        long waiting() {
            return responded.get() == NONE ? System.nanoTime() - sent : 0;
        }

        @Override
        public void run() {
            responded.set(System.nanoTime() - sent);
        }
    }
}
