package dev.postern.core.http2.client;

import dev.postern.core.http2.AbstractFrameListener;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;

/** The reading half of a connection to an upstream: hands field sections and DATA to the wires of their streams. Event loop only. */
final class ClientFrameListener extends AbstractFrameListener {

    private final Http2UpstreamConnection link;
    private final ResponseHeaderBlock section;

    ClientFrameListener(Http2UpstreamConnection link, ResponseHeaderBlock section) {
        super(link);
        this.link = link;
        this.section = section;
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
        link.settled(settings);
    }

    @Override
    protected void fields(ChannelHandlerContext ctx, int streamId, boolean endStream) throws Http2Exception {
        if (streamId % 2 == 0) {
            throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "a stream that the server opened");
        }
        Http2UpstreamStream wire = link.wire(streamId);
        if (wire != null) {
            wire.fields(section, endStream);
        }
    }

    @Override
    protected int data(int streamId, ByteBuf data, int padding, boolean endStream) {
        int all = data.readableBytes() + padding;
        Http2UpstreamStream wire = link.wire(streamId);
        return wire == null ? all : wire.data(data, endStream) + padding;
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long errorCode) {
        Http2UpstreamStream wire = link.wire(streamId);
        if (wire != null) {
            wire.reset(errorCode);
        }
    }

    @Override
    public void onPushPromiseRead(
            ChannelHandlerContext ctx, int streamId, int promisedStreamId, Http2Headers headers, int padding)
            throws Http2Exception {
        throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "a push that was forbidden");
    }
}
