package dev.postern.core.http2.client;

import dev.postern.core.http2.AbstractFrameListener;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;

/** Listener for the frames of an upstream: passes field sections and DATA to their {@link Http2UpstreamStream}s. Event loop only. */
final class ClientFrameListener extends AbstractFrameListener {

    private final Http2UpstreamConnection connection;
    private final ResponseHeaderBlock block;

    ClientFrameListener(Http2UpstreamConnection connection, ResponseHeaderBlock block) {
        super(connection);
        this.connection = connection;
        this.block = block;
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
        connection.settled(settings);
    }

    @Override
    protected void fields(ChannelHandlerContext ctx, int streamId, boolean endStream) throws Http2Exception {
        if (streamId % 2 == 0) {
            throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "a stream that the server opened");
        }
        connection.silence().progressed();
        Http2UpstreamStream stream = connection.stream(streamId);
        if (stream != null) {
            stream.fields(block, endStream);
        }
    }

    @Override
    protected int data(int streamId, ByteBuf data, int padding, boolean endStream) {
        connection.silence().progressed();
        int all = data.readableBytes() + padding;
        Http2UpstreamStream stream = connection.stream(streamId);
        return stream == null ? all : stream.data(data, endStream) + padding;
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
        Http2UpstreamStream stream = connection.stream(streamId);
        if (stream != null) {
            stream.reset(errorCode);
        }
    }

    @Override
    public void onPushPromiseRead(
            ChannelHandlerContext ctx, int streamId, int promisedStreamId, Http2Headers headers, int padding)
            throws Http2Exception {
        throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "a push that was forbidden");
    }
}
