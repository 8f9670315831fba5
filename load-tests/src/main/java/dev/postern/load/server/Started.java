package dev.postern.load.server;

import dev.postern.load.measure.Progress;
import java.util.ArrayDeque;
import java.util.Deque;

/** What a run has started, stopped in reverse order, all of it, whatever goes wrong with one. For one thread. */
public final class Started implements AutoCloseable {
    private final Deque<AutoCloseable> all = new ArrayDeque<>();

    /** Returns it. */
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
