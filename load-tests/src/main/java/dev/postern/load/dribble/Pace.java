package dev.postern.load.dribble;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Pace of the senders of one turn: how many bytes a second, and whether the turn lasts on. Thread-safe. */
final class Pace {
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final double bytesPerSecond;
    private final long start = System.nanoTime();
    private final AtomicLong sent = new AtomicLong();
    private volatile boolean over;

    /** @param bytesPerSecond of all senders together; 0 for as many as the gateway reads */
    Pace(double bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    /** Waits until that many bytes may be sent; false when the turn is over. */
    boolean await(int bytes) {
        while (!over && bytesPerSecond > 0 && ahead(bytes)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return !over;
    }

    private boolean ahead(int bytes) {
        return sent.get() + bytes > (System.nanoTime() - start) / NANOS * bytesPerSecond;
    }

    void sent(int bytes) {
        sent.addAndGet(bytes);
    }

    long bytes() {
        return sent.get();
    }

    boolean isOver() {
        return over;
    }

    void end() {
        over = true;
    }
}
