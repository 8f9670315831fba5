package dev.postern.core.transport;

import dev.postern.core.transport.loop.Deadline;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.WriteBufferWaterMark;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Ends a connection whose client takes nothing of what it asked for: a reader that is slow by design holds an upstream, and buffers here, as
 * long as it likes. And says what waits, so that all clients together keep to one budget: past it, little may wait for each until whoever
 * fills its channel is made to stop. One per channel, the first in its pipeline, so that it sees what the socket takes, encrypted or not.
 *
 * <p>Costs a look after each flush; only what the socket did not take at once is watched.
 */
public final class WriteTimeoutHandler extends ChannelOutboundHandlerAdapter {

    private static final int LOOKS = 4;

    /** What was taken since is given back to the budget no later than this. */
    private static final long MAX_STEP = 1_000_000_000;

    /** Past the budget a client may have so much waiting: enough to keep a fast one busy. */
    private static final WriteBufferWaterMark TIGHT = new WriteBufferWaterMark(8 * 1024, 32 * 1024);

    private final Channel channel;
    private final Runnable counted;
    private final OutboundBytesLimiter limiter;
    private final WriteProgressTracker tracker;
    private final Deadline next;
    private final long stepNanos;
    private boolean watching;
    private boolean tunnel;
    private @Nullable WriteBufferWaterMark usual;
    private long accounted;

    /** @param counted runs when the client has taken nothing for that time, before its connection is closed */
    public WriteTimeoutHandler(Channel channel, Duration most, OutboundBytesLimiter limiter, Runnable counted) {
        this.channel = channel;
        this.counted = counted;
        this.limiter = limiter;
        this.tracker = new WriteProgressTracker(most.toNanos());
        this.next = new Deadline(channel.eventLoop(), this::look);
        this.stepNanos = Math.min(MAX_STEP, Math.max(1, most.toNanos() / LOOKS));
    }

    /** A tunnel has its own idea of silence; what waits in it counts all the same. */
    public static void exempt(ChannelPipeline pipeline) {
        WriteTimeoutHandler handler = pipeline.get(WriteTimeoutHandler.class);
        if (handler != null) {
            handler.tunnel = true;
        }
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        ctx.flush();
        if (limiter.over() != (usual != null)) {
            tighten();
        }
        if (watching) {
            account(channel.unsafe().outboundBuffer());
        } else {
            look();
        }
    }

    /** Tells the budget what waits now. */
    private void account(@Nullable ChannelOutboundBuffer out) {
        long waits = out == null ? 0 : out.totalPendingWriteBytes();
        if (waits != accounted) {
            limiter.add(waits - accounted);
            accounted = waits;
        }
    }

    /** All channels, since nobody knows which will be slow: a full mark is filled in one turn of the loop. */
    private void tighten() {
        WriteBufferWaterMark before = usual;
        if (before == null) {
            usual = channel.config().getWriteBufferWaterMark();
            channel.config().setWriteBufferWaterMark(TIGHT);
        } else {
            usual = null;
            channel.config().setWriteBufferWaterMark(before);
        }
    }

    private void look() {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        if (out == null || out.isEmpty()) {
            watching = false;
            tracker.end();
            if (accounted > 0) {
                account(out);
            }
            return;
        }
        account(out);
        long now = System.nanoTime();
        if (!watching) {
            watching = true;
            tracker.begin(now, out.current(), out.currentProgress(), out.totalPendingWriteBytes());
        } else if (!tunnel
                && tracker.stalled(now, out.current(), out.currentProgress(), out.totalPendingWriteBytes())) {
            end();
            return;
        }
        next.set(now, stepNanos);
    }

    private void end() {
        counted.run();
        ConnectionReset.send(channel);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        next.stop();
        limiter.add(-accounted);
        accounted = 0;
    }
}
