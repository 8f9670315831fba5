package dev.postern.core.transport;

import dev.postern.core.transport.loop.Deadline;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.time.Duration;

/**
 * Reset of a closing connection whose other side reads nothing: the bytes that precede the close would otherwise wait for it, with their
 * memory and the descriptor, for as long as it acknowledges probes. Event loop only.
 */
final class StalledWriteReset {

    private static final int CHECKS = 4;

    private final Channel channel;
    private final WriteProgressTracker tracker;
    private final Deadline next;
    private final long stepNanos;

    private StalledWriteReset(Channel channel, Duration patience) {
        this.channel = channel;
        this.tracker = new WriteProgressTracker(patience.toNanos());
        this.next = new Deadline(channel.eventLoop(), this::check);
        this.stepNanos = patience.toNanos() / CHECKS;
    }

    /** Watches the pending bytes until the channel is closed; resets the channel after that time without progress. */
    static void watch(Channel channel, Duration patience) {
        StalledWriteReset reset = new StalledWriteReset(channel, patience);
        channel.closeFuture().addListener(closed -> reset.next.stop());
        reset.begin();
    }

    private void begin() {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        if (out != null) {
            long now = next.now();
            tracker.begin(now, out.current(), out.currentProgress(), out.totalPendingWriteBytes());
            next.set(now, stepNanos);
        }
    }

    private void check() {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        if (out == null) {
            return; // closed
        }
        long now = next.now();
        if (tracker.stalled(now, out.current(), out.currentProgress(), out.totalPendingWriteBytes())) {
            ConnectionReset.send(channel);
        } else {
            next.set(now, stepNanos);
        }
    }
}
