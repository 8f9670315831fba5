package dev.postern.core.transport;

import dev.postern.core.transport.loop.Deadline;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.time.Duration;

/**
 * Lingering close of a connection (RFC 9112 section 9.6, RFC 9113 section 5.4.1, RFC 8446 section 6.1): sends what is written, then the
 * close_notify of TLS, and ends the output, while it reads and drops the bytes that the client still sends. Otherwise these bytes would
 * cause a reset that destroys the response before the client reads it.
 *
 * <p>The bytes are dropped as they arrive, encrypted ones without decrypting them, within a {@link LingerBudget}. The first handler of its
 * channel, confined to its event loop.
 */
public final class LingeringClose extends ChannelInboundHandlerAdapter {

    private final DuplexChannel channel;
    private final LingerBudget budget;
    private final Deadline deadline;
    private boolean outputEnded;

    private LingeringClose(DuplexChannel channel, LingerBudget.Limits limits) {
        this.channel = channel;
        this.budget = new LingerBudget(limits);
        this.deadline = new Deadline(channel.eventLoop(), this::check);
    }

    /** Closes the channel behind all that was written to it; does nothing when it is closing this way already. */
    public static void close(Channel channel) {
        close(channel, LingerBudget.DEFAULT);
    }

    static void close(Channel channel, LingerBudget.Limits limits) {
        if (!channel.isActive()) {
            channel.close();
        } else if (!(channel instanceof DuplexChannel duplex) || duplex.isInputShutdown()) {
            // A client that has ended its output sends nothing that could cause a reset.
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        } else if (channel.pipeline().get(LingeringClose.class) == null) {
            new LingeringClose(duplex, limits).begin();
        }
    }

    private void begin() {
        channel.pipeline().addFirst(this);
        // Also while the response waits for a slow reader: a client may read nothing before it has written everything.
        channel.config().setAutoRead(true);
        // Pending writes may still wait for that reader; both ways to close would drop them.
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> OutputEnd.announce(channel, this::endOutput));
    }

    private void endOutput() {
        ChannelHandlerContext ctx = channel.pipeline().context(this);
        if (ctx == null) {
            return; // closed, and its handlers removed
        }
        if (!channel.isActive() || channel.isInputShutdown()) {
            ctx.close(); // the client has ended its output meanwhile; no second event would follow
            return;
        }
        outputEnded = true;
        budget.begin(deadline.now());
        channel.config().setAutoRead(true);
        channel.shutdownOutput();
        check();
        LingeringConnections all = LingeringConnections.of(channel);
        if (all != null) {
            all.add(ctx);
        }
    }

    private void check() {
        long now = deadline.now();
        long left = budget.left(now);
        if (left > 0) {
            deadline.set(now, left);
        } else {
            close();
        }
    }

    /** Closes past the handler of TLS, whose close would wait for an output that has ended. */
    private void close() {
        ChannelHandlerContext ctx = channel.pipeline().context(this);
        if (ctx != null) {
            ctx.close();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        boolean more = budget.drop(deadline.now(), in.readableBytes());
        in.release();
        if (!more && outputEnded) {
            ctx.close();
        } else if (!more) {
            channel.config().setAutoRead(false); // the response still arrives, if the client reads it
        }
    }

    /** Ends the event here: the codec would take an ended output for a full one, and pause reading. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {}

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE && outputEnded) {
            ctx.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        deadline.stop();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close(); // mostly a reset by the client, which has what it wanted
    }

    /**
     * Budget of a lingering connection: how long, and for how many bytes, the gateway reads what it drops, so that the client finds the
     * response. Times in nanoseconds of one clock. Not thread-safe.
     */
    static final class LingerBudget {

        /**
         * Limits of a lingering connection. Each byte costs its copy from the kernel only, and the connection counts in
         * {@code limits.connections}, so that an honest upload decides how large they are.
         *
         * @param silence without a byte: the client waits for us, or has vanished
         * @param total from the end of the output
         * @param bytes that are dropped
         */
        record Limits(Duration silence, Duration total, long bytes) {}

        /** Limits of the times of nginx, {@code lingering_timeout} and {@code lingering_time}; nginx bounds no bytes. */
        static final Limits DEFAULT = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(30), 64 << 20);

        private final long silence;
        private final long total;
        private long bytesLeft;
        private long begun;
        private long lastByte;

        LingerBudget(Limits limits) {
            this.silence = limits.silence().toNanos();
            this.total = limits.total().toNanos();
            this.bytesLeft = limits.bytes();
        }

        /** Starts the times: the output has ended. */
        void begin(long now) {
            begun = now;
            lastByte = now;
        }

        /** Counts dropped bytes, also before the begin; false when no more may be dropped. */
        boolean drop(long now, int bytes) {
            lastByte = now;
            bytesLeft -= bytes;
            return bytesLeft > 0;
        }

        /** Returns the time until the connection is to be closed if no byte arrives; zero or less when it is over. */
        long left(long now) {
            return Math.min(silence - (now - lastByte), total - (now - begun));
        }
    }
}
