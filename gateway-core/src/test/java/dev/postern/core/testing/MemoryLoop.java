package dev.postern.core.testing;

import io.netty.channel.Channel;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** Event loop of a {@link MemoryTransport}, which has the time of the test. */
final class MemoryLoop extends SingleThreadEventLoop {

    private final MemoryTransport transport;

    MemoryLoop(MemoryTransport transport, ThreadFactory threads) {
        super(null, threads, true);
        this.transport = transport;
    }

    /** Returns the transport of a channel that is registered. */
    static MemoryTransport transport(Channel channel) {
        return ((MemoryLoop) channel.eventLoop()).transport;
    }

    /** Waits until all tasks have run that are queued now. Returns whether others are queued or due by then. */
    boolean turn() {
        if (isShuttingDown()) {
            return false;
        }
        return submit(() -> pendingTasks() > 0 || hasScheduledTasks())
                .syncUninterruptibly()
                .getNow();
    }

    @Override
    public Ticker ticker() {
        @Nullable MemoryTransport of = transport; // the constructor of the superclass reads the time
        return of == null || isShuttingDown() ? Ticker.systemTicker() : of.ticker(); // whose end needs time that passes
    }

    @Override
    protected void run() {
        do {
            Runnable task = takeTask();
            if (task != null) {
                runTask(task);
                updateLastExecutionTime();
            }
        } while (!confirmShutdown());
    }
}
