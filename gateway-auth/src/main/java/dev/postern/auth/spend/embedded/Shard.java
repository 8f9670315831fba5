package dev.postern.auth.spend.embedded;

import dev.postern.auth.spend.SpendResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Shard of the ledger. Groups keys by the time at which they may be forgotten, so that a whole group is dropped at once.
 *
 * <p>The lock is held for a few probes, or for copying a few thousand keys when a set grows. With 256 shards there is little contention
 * between event loops.
 */
final class Shard {

    private final KeyHash hash;
    private final MemoryLimit limit;
    private final List<Window> windows = new ArrayList<>(4);

    Shard(KeyHash hash, MemoryLimit limit) {
        this.hash = hash;
        this.limit = limit;
    }

    /** Spends a key. Returns UNKNOWN when the memory limit is reached. */
    synchronized SpendResult spend(long high, long low, long forgetAt, long now) {
        forget(now);
        if (holds(high, low)) {
            return SpendResult.SPENT;
        }
        Window window = window(forgetAt);
        if (window == null || !hasSpace(window.keys)) {
            return SpendResult.UNKNOWN;
        }
        window.keys.add(high, low);
        return SpendResult.FRESH;
    }

    synchronized boolean contains(long high, long low, long now) {
        forget(now);
        return holds(high, low);
    }

    synchronized boolean remove(long high, long low) {
        for (Window window : windows) {
            if (window.keys.remove(high, low)) {
                return true;
            }
        }
        return false;
    }

    /** Removes a key, but only from the set that may be forgotten at the given time. */
    synchronized void remove(long forgetAt, long high, long low) {
        for (Window window : windows) {
            if (window.forgetAt == forgetAt) {
                window.keys.remove(high, low);
            }
        }
    }

    /** Returns the number of keys that are not yet forgotten. */
    synchronized int size(long now) {
        forget(now);
        int size = 0;
        for (Window window : windows) {
            size += window.keys.size();
        }
        return size;
    }

    private boolean holds(long high, long low) {
        for (Window window : windows) {
            if (window.keys.contains(high, low)) {
                return true;
            }
        }
        return false;
    }

    private void forget(long now) {
        for (int i = windows.size() - 1; i >= 0; i--) {
            Window window = windows.get(i);
            if (window.forgetAt <= now) {
                windows.remove(i);
                limit.release(window.keys.bytes());
            }
        }
    }

    private @Nullable Window window(long forgetAt) {
        for (Window window : windows) {
            if (window.forgetAt == forgetAt) {
                return window;
            }
        }
        if (!limit.reserve(KeySet.bytes(KeySet.FIRST_SLOTS))) {
            return null;
        }
        Window window = new Window(forgetAt, new KeySet(hash));
        windows.add(window);
        return window;
    }

    private boolean hasSpace(KeySet keys) {
        // Both arrays exist while the keys are copied, so both count against the limit.
        if (keys.crowded() && limit.reserve(keys.bytesGrown())) {
            long size = keys.bytes();
            keys.grow();
            limit.release(size);
        }
        return !keys.full();
    }

    private record Window(long forgetAt, KeySet keys) {}
}
