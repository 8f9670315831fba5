package dev.postern.auth.spend.embedded;

import java.util.concurrent.atomic.AtomicLong;

/** Memory limit in bytes for all shards together. Thread-safe. */
final class MemoryLimit {

    private final long most;
    private final AtomicLong used = new AtomicLong();

    MemoryLimit(long most) {
        this.most = most;
    }

    /** Reserves bytes. Returns false, and reserves nothing, when the limit would be exceeded. */
    boolean reserve(long bytes) {
        if (used.addAndGet(bytes) <= most) {
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

    long most() {
        return most;
    }
}
