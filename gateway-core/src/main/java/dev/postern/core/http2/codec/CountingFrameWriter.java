package dev.postern.core.http2.codec;

import dev.postern.core.http2.guard.AbuseLimits;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;

/** Frame writer of Netty that reports to {@link AbuseLimits} what the peer is sent. One per connection, confined to its event loop. */
final class CountingFrameWriter extends DefaultHttp2FrameWriter {

    private final Http2Connection connection;
    private final AbuseLimits limits;

    CountingFrameWriter(Http2HeadersEncoder fields, Http2Connection connection, AbuseLimits limits) {
        super(fields);
        this.connection = connection;
        this.limits = limits;
    }

    @Override
    public ChannelFuture writeHeaders(
            ChannelHandlerContext ctx,
            int streamId,
            Http2Headers headers,
            int padding,
            boolean endStream,
            ChannelPromise promise) {
        limits.headersSent();
        return super.writeHeaders(ctx, streamId, headers, padding, endStream, promise);
    }

    @Override
    public ChannelFuture writeData(
            ChannelHandlerContext ctx,
            int streamId,
            ByteBuf data,
            int padding,
            boolean endStream,
            ChannelPromise promise) {
        int n = data.readableBytes();
        int frames = Math.max(1, (n + maxFrameSize() - 1) / maxFrameSize());
        limits.dataSent(n, frames, endStream || belowWindows(streamId, n));
        return super.writeData(ctx, streamId, data, padding, endStream, promise);
    }

    /** Returns whether the peer's windows, which are reduced after the write, allow more than that. */
    private boolean belowWindows(int streamId, int bytes) {
        Http2Stream stream = connection.stream(streamId);
        Http2RemoteFlowController windows = connection.remote().flowController();
        return stream != null
                && bytes < windows.windowSize(stream)
                && bytes < windows.windowSize(connection.connectionStream());
    }

    @Override
    public ChannelFuture writePing(ChannelHandlerContext ctx, boolean ack, long data, ChannelPromise promise) {
        if (!ack) {
            limits.pingSent();
        }
        return super.writePing(ctx, ack, data, promise);
    }

    @Override
    public ChannelFuture writeSettings(ChannelHandlerContext ctx, Http2Settings settings, ChannelPromise promise) {
        limits.settingsSent();
        return super.writeSettings(ctx, settings, promise);
    }
}
