package dev.postern.auth.spend.embedded;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that all shards together may use. Thread-safe. */
final class MemoryLimit {

    private final long most;
    private final AtomicLong used = new AtomicLong();

    MemoryLimit(long most) {
        this.most = most;
    }

    /** False when there isn't as much left; nothing is taken then. */
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
