package dev.postern.core.http2;

import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.http2.guard.AbuseLimitExceeded;
import dev.postern.core.http2.guard.AbuseLimits;
import dev.postern.core.http2.guard.FrameFloodGuard;
import dev.postern.core.transport.ConnectionErrors;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
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
 * One connection of HTTP/2 with whomever, a client or a server: frames that come are looked at before anybody works for them, windows open as
 * bodies are taken, what is written in one pass of the loop goes out at once, and a peer that uses a budget up is told so and left.
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

    /** Whether nothing that comes is read any more. */
    protected abstract boolean deaf();

    /** The peer used a budget up (RFC 9113 section 10.5). */
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

    // ---- what comes in

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        ByteBuf in = (ByteBuf) message;
        if (deaf()) {
            in.release();
            return;
        }
        reading = true;
        AbuseLimit exceeded = frames.look(in);
        if (exceeded != null) {
            in.release();
            over(exceeded);
            return;
        }
        super.channelRead(ctx, in);
    }

    @Override
    protected final void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (deaf()) {
            in.skipBytes(in.readableBytes()); // came with what was too much
        } else {
            super.decode(ctx, in, out);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        reading = false;
        super.channelReadComplete(ctx);
    }

    /** So many bytes of a body were taken by whoever reads it. */
    public final void taken(Http2Stream stream, int bytes) {
        try {
            if (decoder().flowController().consumeBytes(stream, bytes)) {
                flushSoon();
            }
        } catch (Http2Exception e) {
            onError(ctx(), false, e);
        }
    }

    /** The peer told us nothing with that frame. */
    final void emptyFrame() {
        overIf(limits.empty());
    }

    /** The peer made us reset a stream. */
    public final void fault() {
        overIf(limits.fault());
    }

    private void overIf(@Nullable AbuseLimit limit) {
        if (limit != null) {
            over(limit);
        }
    }

    /** The number of the field block that has begun and whose last byte has not come, or 0. */
    final int openBlock() {
        return frames.openBlock();
    }

    // ---- what goes out

    /** So many bytes of a body go out, for which the peer may make room again. */
    public final void sent(int bytes) {
        limits.sent(bytes);
    }

    /** Sends what was written, with whatever else this pass of the loop brings. */
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

    /** A connection is at fault, and not for a budget. */
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
            ctx.close(); // a reset by the peer, most often; channelInactive cleans up
        }
    }
}
