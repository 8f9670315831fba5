package dev.postern.core.transport.loop;

import io.netty.channel.EventLoop;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Mailbox of an event loop for tasks of other threads, such as responses of a store: runs many of them as one task, so that a busy store
 * wakes the loop once per batch and not once per response.
 */
public final class EventLoopMailbox {

    private final EventLoop loop;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final Runnable drain = this::drain;

    public EventLoopMailbox(EventLoop loop) {
        this.loop = loop;
    }

    /** Runs the task on the event loop soon; from any thread. Tasks of one thread keep their order. */
    public void add(Runnable task) {
        waiting.add(task);
        schedule();
    }

    private void schedule() {
        if (scheduled.compareAndSet(false, true)) {
            loop.execute(drain);
        }
    }

    private void drain() {
        // Cleared first: a task that is added from now on either is run below or schedules the next drain.
        scheduled.set(false);
        try {
            for (Runnable task = waiting.poll(); task != null; task = waiting.poll()) {
                task.run();
            }
        } finally {
            if (!waiting.isEmpty()) {
                schedule(); // a task failed: those behind it must not wait for the next one that is added
            }
        }
    }
}
