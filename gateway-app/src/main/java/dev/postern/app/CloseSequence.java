package dev.postern.app;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sequence of opened components, closed in reverse order. A component that fails to close does not stop the sequence. For one thread. */
final class CloseSequence implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CloseSequence.class);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    <T extends AutoCloseable> T add(T part) {
        opened.push(part);
        return part;
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            AutoCloseable part = opened.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn("{} did not close", part.getClass().getSimpleName(), e);
            }
        }
    }
}
