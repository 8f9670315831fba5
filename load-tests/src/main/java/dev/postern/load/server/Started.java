package dev.postern.load.server;

import dev.postern.load.measure.Progress;
import java.util.ArrayDeque;
import java.util.Deque;

/** Started resources of a run, closed in reverse order; all of them are closed even if one fails. Not thread-safe. */
public final class Started implements AutoCloseable {
    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    /** Adds a resource and returns it. */
    public <T extends AutoCloseable> T add(T one) {
        all.push(one);
        return one;
    }

    @Override
    public void close() {
        while (!all.isEmpty()) {
            try {
                all.pop().close();
            } catch (Exception e) {
                Progress.say("while stopping: " + e);
            }
        }
    }
}
