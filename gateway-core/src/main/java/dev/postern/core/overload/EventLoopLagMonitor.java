package dev.postern.core.overload;

import io.netty.channel.EventLoop;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Event-loop lag monitor: measures how long a task waits until its event loop runs the task. Each loop gets one task at a time, and its
 * last completed task counts: one long turn is one sample, however long. A loop that never completes its task is not an overload;
 * {@code /livez} detects that case.
 *
 * <p>The relevant lag is the one that at least half of the loops reach: one connection can keep one loop busy, and must not cause refusals
 * for all other clients. {@link #worst}, over all loops, is for operators.
 */
final class EventLoopLagMonitor {

    /** Number of recent samples for {@link #worst}. */
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

    /** Returns the lag in seconds from the tasks sent by the previous call; sends the next tasks. For one thread. */
    double seconds() {
        long max = 0;
        for (int i = 0; i < probes.length; i++) {
            max = Math.max(max, probes[i].waiting());
            lags[i] = probes[i].lag();
            max = Math.max(max, lags[i]);
        }
        longest[samples++ % REMEMBERED] = max;
        worst = Arrays.stream(longest).max().orElse(0) / 1e9;
        return typical(lags) / 1e9;
    }

    /** Returns the longest time in seconds that a task waited, or still waits, for any loop in the recent samples; from any thread. */
    double worst() {
        return worst;
    }

    /** Returns the lag that at least half of the loops reach; sorts the array. */
    static long typical(long[] lags) {
        Arrays.sort(lags);
        return lags.length == 0 ? 0 : lags[lags.length / 2];
    }

    /** Probe of one event loop. */
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
            sent = now();
            try {
                loop.execute(this);
            } catch (RejectedExecutionException e) {
                responded.set(0); // the process is ending
            }
            return last;
        }

        /** Returns the nanoseconds since a pending task was sent; 0 without a pending task. */
        long waiting() {
            return responded.get() == NONE ? now() - sent : 0;
        }

        @Override
        public void run() {
            responded.set(now() - sent);
        }

        private long now() {
            return loop.ticker().nanoTime();
        }
    }
}
