package dev.postern.core.http2;

import dev.postern.core.http2.codec.DataFrameJoiner;
import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.http2.guard.AbuseLimitExceeded;
import dev.postern.core.http2.guard.AbuseLimits;
import dev.postern.core.http2.guard.FrameFloodGuard;
import dev.postern.core.http2.window.GrowingFlowController;
import dev.postern.core.transport.ConnectionErrors;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/2 connection to a client or an upstream. Checks the frames against the abuse limits before any other work, opens windows as bodies
 * are consumed, flushes once per pass of the event loop, and ends the connection with a GOAWAY when the peer exceeds a limit.
 *
 * <p>Frames, HPACK and windows are Netty's; there is no channel for each stream. One per channel, confined to its event loop.
 */
public abstract class AbstractHttp2Connection extends Http2ConnectionHandler {

    private final AbuseLimits limits;
    private final FrameFloodGuard frames;
    private final Runnable flush = this::flushNow;
    private @Nullable ChannelHandlerContext context;
    private boolean reading;
    private boolean flushing;

    public AbstractHttp2Connection(
            Http2ConnectionDecoder decoder,
            Http2ConnectionEncoder encoder,
            Http2Settings settings,
            AbuseLimits limits,
            FrameFloodGuard frames) {
        super(decoder, encoder, settings, true, true);
        this.limits = limits;
        this.frames = frames;
    }

    /** Returns whether received bytes are discarded. */
    protected abstract boolean deaf();

    /** Ends the connection because the peer exceeded a limit (RFC 9113 section 10.5). */
    protected abstract void over(AbuseLimit limit);

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
        context = ctx;
        super.handlerAdded(ctx);
    }

    public final ChannelHandlerContext ctx() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return ctx;
    }

    // ---- inbound

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        ByteBuf in = (ByteBuf) message;
        if (deaf()) {
            in.release();
            return;
        }
        reading = true;
        int first = frames.firstFrame(in);
        AbuseLimit exceeded = frames.inspect(in);
        if (exceeded != null) {
            in.release();
            over(exceeded);
            return;
        }
        DataFrameJoiner joiner = new DataFrameJoiner(in);
        ByteBuf joined = joiner.join(first);
        for (int i = 0; i < joiner.emptyFrames() && exceeded == null; i++) {
            exceeded = limits.empty();
        }
        if (exceeded == null) {
            super.channelRead(ctx, joined);
        } else {
            joined.release();
            over(exceeded);
        }
    }

    @Override
    protected final void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (deaf()) {
            in.skipBytes(in.readableBytes()); // received together with the bytes that exceeded a limit
        } else {
            super.decode(ctx, in, out);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        reading = false;
        super.channelReadComplete(ctx);
    }

    /** Returns the windows of received data. */
    public final GrowingFlowController windows() {
        return (GrowingFlowController) connection().local().flowController();
    }

    /** Reports consumed body bytes to the flow control, which opens the window again. */
    public final void taken(Http2Stream stream, int bytes) {
        try {
            if (decoder().flowController().consumeBytes(stream, bytes)) {
                flushSoon();
            }
        } catch (Http2Exception e) {
            onError(ctx(), false, e);
        }
    }

    /** Counts a frame without content or effect. */
    final void emptyFrame() {
        overIf(limits.empty());
    }

    /** Counts a stream that the gateway resets. */
    public final void resetting() {
        limits.reset(windows().largest());
    }

    /** Counts an exchange that an upstream completed. */
    final void completedByUpstream() {
        limits.completed();
    }

    /** Counts a request that was sent. */
    public final void requested() {
        limits.requested();
    }

    /** Counts a frame that is ignored because its stream has ended. */
    public final void lateFrame() {
        overIf(limits.late());
    }

    /** Counts a stream that the gateway reset because of the peer. */
    public final void fault() {
        overIf(limits.fault());
    }

    private void overIf(@Nullable AbuseLimit limit) {
        if (limit != null) {
            over(limit);
        }
    }

    /** Returns the number of the field block that has begun and whose last byte has not arrived, or 0. */
    final int openBlock() {
        return frames.openBlock();
    }

    // ---- outbound

    /** Counts body bytes sent, for which the peer may send WINDOW_UPDATE frames. */
    public final void sent(int bytes) {
        limits.sent(bytes);
    }

    /** Counts a HEADERS frame and a DATA frame with so many bytes, written without the encoder. */
    final void sentWhole(int bytes) {
        sent(bytes);
        limits.headersSent();
        limits.dataSent(bytes, 1, true);
    }

    /** Resets a stream, behind what the peer's windows allow of its data: no frame may follow the reset (RFC 9113 section 5.1). */
    @Override
    public final ChannelFuture resetStream(
            ChannelHandlerContext ctx, int streamId, long errorCode, ChannelPromise promise) {
        try {
            encoder().flowController().writePendingBytes();
        } catch (Http2Exception e) {
            onError(ctx, true, e);
        }
        return super.resetStream(ctx, streamId, errorCode, promise);
    }

    /** Flushes what was written, together with the other writes of this pass of the event loop. */
    public final void flushSoon() {
        if (!reading && !flushing) {
            flushing = true;
            ctx().channel().eventLoop().execute(flush);
        }
    }

    private void flushNow() {
        flushing = false;
        if (!ctx().isRemoved()) {
            flush(ctx());
        }
    }

    // ---- errors

    /** Handles a connection error that is not an exceeded limit. */
    protected abstract void failed(Throwable cause, @Nullable Http2Exception error);

    @Override
    protected final void onConnectionError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, @Nullable Http2Exception error) {
        if (error instanceof AbuseLimitExceeded found) {
            over(found.limit());
        } else {
            failed(cause, error);
        }
    }

    @Override
    public final void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
        if (Http2CodecUtil.getEmbeddedHttp2Exception(cause) != null) {
            super.exceptionCaught(ctx, cause);
        } else {
            if (!ConnectionErrors.is(cause)) {
                failed(cause, null);
            }
            ctx.close(); // mostly a reset by the peer; channelInactive cleans up
        }
    }
}
