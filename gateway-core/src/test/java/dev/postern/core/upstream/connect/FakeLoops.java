package dev.postern.core.upstream.connect;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Event loops of one thread, whose tasks and common time a test runs. */
public final class FakeLoops {

    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(50);

    private final MockTicker ticker = Ticker.newMockTicker();
    private final List<EmbeddedChannel> channels = new ArrayList<>();

    /** Creates a channel on an event loop of its own. */
    public EmbeddedChannel channel() {
        EmbeddedChannel channel = EmbeddedChannel.builder().ticker(ticker).build();
        channels.add(channel);
        return channel;
    }

    /** Creates an event loop. */
    public EventLoop loop() {
        return channel().eventLoop();
    }

    public MockTicker ticker() {
        return ticker;
    }

    public long now() {
        return ticker.nanoTime();
    }

    /** Runs the tasks of all loops, and those that they add. */
    public void run() {
        boolean pending = true;
        while (pending) {
            pending = false;
            for (EmbeddedChannel channel : List.copyOf(channels)) {
                pending |= channel.hasPendingTasks();
                channel.runPendingTasks();
                channel.checkException();
            }
        }
    }

    /** Lets time pass, in steps that run the tasks in between. */
    public void pass(Duration time) {
        run();
        for (long rest = time.toNanos(); rest > 0; rest -= STEP) {
            ticker.advance(Math.min(rest, STEP), TimeUnit.NANOSECONDS);
            run();
        }
    }
}
