package dev.postern.auth.spend.embedded;

import java.util.concurrent.atomic.AtomicLong;

/** Memory limit in bytes for all shards together. Thread-safe. */
final class MemoryLimit {

    private final long max;
    private final AtomicLong used = new AtomicLong();

    MemoryLimit(long max) {
        this.max = max;
    }

    /** Reserves bytes. Returns false, and reserves nothing, when the limit would be exceeded. */
    boolean reserve(long bytes) {
        if (used.addAndGet(bytes) <= max) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    void release(long bytes) {
        used.addAndGet(-bytes);
    }

    long used() {
        return used.get();
    }

    long max() {
        return max;
    }
}
