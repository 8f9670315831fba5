package dev.postern.auth.budget;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Queue of refusals that one event loop sends behind its other work: a few in each iteration, so that the requests of a flood do not delay
 * those of others by the time that their responses take. Confined to its event loop.
 */
final class RefusalQueue {

    /** More than the exchanges of one iteration at the usual number of connections; beyond it, a refusal is sent at once. */
    static final int MAX = 4096;

    /** Refusals of one iteration: about 100 us. */
    static final int PER_ITERATION = 16;

    private final EventLoop loop;
    private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
    private final Runnable drain = this::drain;

    RefusalQueue(EventLoop loop) {
        this.loop = loop;
    }

    /** Queues the refusal, or runs it when the queue is full. */
    void add(Runnable refusal) {
        if (queue.size() >= MAX) {
            refusal.run();
            return;
        }
        if (queue.isEmpty()) {
            schedule();
        }
        queue.add(refusal);
    }

    private void drain() {
        for (int left = Math.min(PER_ITERATION, queue.size()); left > 0; left--) {
            queue.remove().run();
        }
        if (!queue.isEmpty()) {
            schedule();
        }
    }

    /** Schedules instead of executing: an executed task would run in the same iteration, before the sockets are read again. */
    private void schedule() {
        loop.schedule(drain, 0, TimeUnit.NANOSECONDS);
    }
}
