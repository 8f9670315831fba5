package dev.postern.auth.spend.embedded;

import dev.postern.auth.spend.SpendResult;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One part of the ledger: keys by the time at which they may be forgotten, so that a whole window goes at once.
 *
 * <p>Its lock is held for a few probes, or for copying a few thousand keys when a set grows; with hundreds of shards event loops hardly
 * meet in one.
 */
final class Shard {

    private final KeyHash hash;
    private final MemoryLimit limit;
    private final List<Window> windows = new ArrayList<>(4);

    Shard(KeyHash hash, MemoryLimit limit) {
        this.hash = hash;
        this.limit = limit;
    }

    /** UNKNOWN when there is no room. */
    synchronized SpendResult spend(long high, long low, long forgetAt, long now) {
        forget(now);
        if (holds(high, low)) {
            return SpendResult.SPENT;
        }
        Window window = window(forgetAt);
        if (window == null || !roomIn(window.keys)) {
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

    /** Removes a key only from among those that may be forgotten at that time. */
    synchronized void remove(long forgetAt, long high, long low) {
        for (Window window : windows) {
            if (window.forgetAt == forgetAt) {
                window.keys.remove(high, low);
            }
        }
    }

    /** Keys that are remembered now. */
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

    private boolean roomIn(KeySet keys) {
        // While it is copied both arrays exist, and both are paid for.
        if (keys.crowded() && limit.reserve(keys.bytesGrown())) {
            long before = keys.bytes();
            keys.grow();
            limit.release(before);
        }
        return !keys.full();
    }

    private record Window(long forgetAt, KeySet keys) {}
}
