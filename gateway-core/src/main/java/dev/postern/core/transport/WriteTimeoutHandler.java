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
 * Write timeout handler: closes a connection whose client reads nothing of its response. A client that reads slowly on purpose could
 * otherwise hold an upstream, and buffers of the gateway, without end. Also reports the pending bytes to the process-wide limiter: beyond
 * that limit, each channel gets a small write buffer, so that the producers of its data pause. One per channel, the first in its pipeline,
 * so that the handler sees the bytes that the socket takes, encrypted or not.
 *
 * <p>The cost is one check after each flush; only bytes that the socket did not take at once are tracked.
 */
public final class WriteTimeoutHandler extends ChannelOutboundHandlerAdapter {

    private static final int CHECKS = 4;

    /** Maximum delay until bytes that were sent are subtracted from the limiter, in nanoseconds. */
    private static final long MAX_STEP = 1_000_000_000;

    /** Write buffer beyond the limit: enough to keep a fast client busy. */
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

    /** @param counted runs when the client has read nothing for that time, before its connection is closed */
    public WriteTimeoutHandler(Channel channel, Duration timeout, OutboundBytesLimiter limiter, Runnable counted) {
        this.channel = channel;
        this.counted = counted;
        this.limiter = limiter;
        this.tracker = new WriteProgressTracker(timeout.toNanos());
        this.next = new Deadline(channel.eventLoop(), this::check);
        this.stepNanos = Math.min(MAX_STEP, Math.max(1, timeout.toNanos() / CHECKS));
    }

    /** Exempts a tunnel from the timeout, since tunnels have an idle timeout of their own; its pending bytes still count. */
    public static void exempt(ChannelPipeline pipeline) {
        WriteTimeoutHandler handler = pipeline.get(WriteTimeoutHandler.class);
        if (handler != null) {
            handler.tunnel = true;
        }
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        ctx.flush();
        if (limiter.exceeded() != (usual != null)) {
            tighten();
        }
        if (watching) {
            account(channel.unsafe().outboundBuffer());
        } else {
            check();
        }
    }

    /** Reports the pending bytes to the limiter. */
    private void account(@Nullable ChannelOutboundBuffer out) {
        long waits = out == null ? 0 : out.totalPendingWriteBytes();
        if (waits != accounted) {
            limiter.add(waits - accounted);
            accounted = waits;
        }
    }

    /** Tightens every channel, since slow clients are not known in advance: one turn of the event loop can fill a full write buffer. */
    private void tighten() {
        WriteBufferWaterMark previous = usual;
        if (previous == null) {
            usual = channel.config().getWriteBufferWaterMark();
            channel.config().setWriteBufferWaterMark(TIGHT);
        } else {
            usual = null;
            channel.config().setWriteBufferWaterMark(previous);
        }
    }

    private void check() {
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
        long now = next.now();
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
