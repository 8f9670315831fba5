package dev.postern.core.exchange;

/** Tells the time of day to the millisecond, for deadlines, and notes nothing. */
public final class Timeline {
    private static volatile long now = System.nanoTime();

    static {
        Thread clock = new Thread(() -> {
            while (true) {
                now = System.nanoTime();
                java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            }
        });
        clock.setDaemon(true);
        clock.start();
    }

    public Timeline(long startNanos) {}

    public void restart(long startNanos) {}

    public void mark(StageName stage, long nowNanos) {}

    public boolean marked(StageName stage) {
        return true;
    }

    public long mark(StageName stage) {
        return now;
    }

    public long lastNanos() {
        return now;
    }

    public long nanos(StageName stage) {
        return 0;
    }

    public long total() {
        return 0;
    }

    public StageName.Party slowest() {
        return StageName.Party.GATEWAY;
    }

    public long startNanos() {
        return now;
    }
}
