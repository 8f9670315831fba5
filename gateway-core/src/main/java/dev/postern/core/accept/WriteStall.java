package dev.postern.core.accept;

import dev.postern.core.transport.Deadline;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import java.time.Duration;

/**
 * Ends a connection whose client takes nothing of what it asked for: a reader that is slow by design holds an upstream, and buffers here, as
 * long as it likes. One per channel, the first in its pipeline, so that it sees what the socket takes, encrypted or not.
 *
 * <p>Costs a look after each flush; only what the socket did not take at once is watched.
 */
public final class WriteStall extends ChannelOutboundHandlerAdapter {

    private static final int LOOKS = 4;

    private final Channel channel;
    private final Runnable counted;
    private final StallRule rule;
    private final Deadline next;
    private final long stepNanos;
    private boolean watching;

    /** @param counted runs when the client has taken nothing for that time, before its connection is closed */
    WriteStall(Channel channel, Duration most, Runnable counted) {
        this.channel = channel;
        this.counted = counted;
        this.rule = new StallRule(most.toNanos());
        this.next = new Deadline(channel.eventLoop(), this::look);
        this.stepNanos = Math.max(1, most.toNanos() / LOOKS);
    }

    /** A tunnel has its own idea of silence. */
    public static void exempt(ChannelPipeline pipeline) {
        if (pipeline.get(WriteStall.class) != null) {
            pipeline.remove(WriteStall.class);
        }
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        ctx.flush();
        if (!watching) {
            look();
        }
    }

    private void look() {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        if (out == null || out.isEmpty()) {
            watching = false;
            rule.end();
            return;
        }
        long now = System.nanoTime();
        if (!watching) {
            watching = true;
            rule.begin(now, out.current(), out.currentProgress(), out.totalPendingWriteBytes());
        } else if (rule.stalled(now, out.current(), out.currentProgress(), out.totalPendingWriteBytes())) {
            end();
            return;
        }
        next.set(now, stepNanos);
    }

    private void end() {
        counted.run();
        // A reset, and past the handlers behind us: what a goodbye would wait for is what the client does not take.
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        channel.unsafe().close(channel.unsafe().voidPromise());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        next.stop();
    }
}
