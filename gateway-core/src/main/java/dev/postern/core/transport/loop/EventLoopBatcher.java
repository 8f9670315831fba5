package dev.postern.core.transport.loop;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Gathers what one pass of an event loop wants to send to a store, so that it goes in one piece at the end of the pass.
 *
 * @param <T> one thing to send; only its own loop touches the batch
 */
public final class EventLoopBatcher<T> {

    private final EventLoop loop;
    private final int most;
    private final Consumer<List<T>> send;
    private final Runnable flush = this::flush;
    private List<T> gathered = new ArrayList<>();
    private boolean scheduled;

    /**
     * @param most how many go in one piece; a full batch goes at once
     * @param send takes over the list
     */
    public EventLoopBatcher(EventLoop loop, int most, Consumer<List<T>> send) {
        this.loop = loop;
        this.most = most;
        this.send = send;
    }

    public void add(T item) {
        gathered.add(item);
        if (gathered.size() >= most) {
            sendGathered();
        } else if (!scheduled) {
            scheduled = true;
            // Runs after all sockets that were ready in this pass have been read.
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
