package dev.postern.core.transport.loop;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Batcher that collects the items that one iteration of an event loop sends to a store, and sends them in one piece at the end of the
 * iteration.
 *
 * @param <T> one item; only its own event loop accesses the batch
 */
public final class EventLoopBatcher<T> {

    private final EventLoop loop;
    private final int max;
    private final Consumer<List<T>> send;
    private final Runnable flush = this::flush;
    private List<T> gathered = new ArrayList<>();
    private boolean scheduled;

    /**
     * Creates an empty batch.
     *
     * @param max maximum of items in one piece; a full batch is sent at once
     * @param send takes ownership of the list
     */
    public EventLoopBatcher(EventLoop loop, int max, Consumer<List<T>> send) {
        this.loop = loop;
        this.max = max;
        this.send = send;
    }

    public void add(T item) {
        gathered.add(item);
        if (gathered.size() >= max) {
            sendGathered();
        } else if (!scheduled) {
            scheduled = true;
            // Runs after all sockets that were ready in this iteration have been read.
            loop.execute(flush);
        }
    }

    private void flush() {
        scheduled = false;
        if (!gathered.isEmpty()) {
            sendGathered();
        }
    }

    private void sendGathered() {
        List<T> batch = gathered;
        gathered = new ArrayList<>();
        send.accept(batch);
    }
}
