package dev.postern.core.pace;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Lets one thing a second through, whoever asks: for log lines that a hostile peer could cause without end. Thread-safe and without locks. */
public final class Seldom {

    private static final long PAUSE_NANOS = 1_000_000_000L;

    private final LongSupplier nanos;
    private final AtomicLong next;

    public Seldom() {
        this(System::nanoTime);
    }

    /** @param nanos a clock that never goes back */
    Seldom(LongSupplier nanos) {
        this.nanos = nanos;
        this.next = new AtomicLong(nanos.getAsLong());
    }

    /** Whether it may be done now; if so, nobody else may for a second. */
    public boolean now() {
        long now = nanos.getAsLong();
        long due = next.get();
        return now - due >= 0 && next.compareAndSet(due, now + PAUSE_NANOS);
    }
}
