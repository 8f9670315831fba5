package dev.postern.core.testing;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Repeats a test of timers when the event loop or the test itself ran late: the order of two timers is undefined when other processes used
 * the CPU in between. An attempt that ran on time counts, whatever its result.
 */
public final class TimingRetry {

    private static final int MAX_ATTEMPTS = 10;
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private TimingRetry() {}

    /** Attempt at the test. */
    @FunctionalInterface
    public interface Attempt {

        void make(LagMonitor lag) throws IOException;
    }

    public static void run(Attempt attempt) throws IOException {
        for (int i = 1; ; i++) {
            try (LagMonitor lag = new LagMonitor()) {
                try {
                    attempt.make(lag);
                    return;
                } catch (AssertionError e) {
                    if (!lag.late() || i == MAX_ATTEMPTS) {
                        throw e;
                    }
                }
            }
        }
    }

    /** Measures fifty times a second how late its own thread and event loops run. */
    public static final class LagMonitor implements AutoCloseable {

        private final AtomicLong latest = new AtomicLong();
        private final Thread thread = new Thread(this::sleep, "on-time");
        private volatile boolean finished;

        private LagMonitor() {
            thread.setDaemon(true);
            thread.start();
        }

        /** Measures this event loop too, until the monitor is closed. */
        public void monitor(EventLoop loop) {
            long due = System.nanoTime() + PERIOD_NANOS;
            loop.schedule(
                    () -> {
                        note(due);
                        if (!finished) {
                            monitor(loop);
                        }
                    },
                    PERIOD_NANOS,
                    TimeUnit.NANOSECONDS);
        }

        private boolean late() {
            return latest.get() > LATE_NANOS;
        }

        private void sleep() {
            while (!finished) {
                long due = System.nanoTime() + PERIOD_NANOS;
                try {
                    TimeUnit.NANOSECONDS.sleep(PERIOD_NANOS);
                } catch (InterruptedException e) {
                    return;
                }
                note(due);
            }
        }

        private void note(long due) {
            latest.accumulateAndGet(System.nanoTime() - due, Math::max);
        }

        @Override
        public void close() {
            finished = true;
            thread.interrupt();
        }
    }
}
