package dev.postern.core.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;

/** The reading half of a connection, whoever is at the other end: priorities are of no concern, and padding alone says nothing. Event loop only. */
public abstract class AbstractFrameListener extends Http2FrameAdapter {

    private final AbstractHttp2Connection connection;

    public AbstractFrameListener(AbstractHttp2Connection connection) {
        this.connection = connection;
    }

    /** A field section is there, read already. */
    protected abstract void fields(ChannelHandlerContext ctx, int streamId, boolean endStream) throws Http2Exception;

    /** DATA came; returns how many of its bytes, padding included, need no longer count against the window. */
    protected abstract int data(int streamId, ByteBuf data, int padding, boolean endStream);

    @Override
    public final void onHeadersRead(
            ChannelHandlerContext ctx,
            int streamId,
            Http2Headers headers,
            int streamDependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean endStream)
            throws Http2Exception {
        fields(ctx, streamId, endStream);
    }

    @Override
    public final void onHeadersRead(
            ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding, boolean endStream)
            throws Http2Exception {
        fields(ctx, streamId, endStream);
    }

    @Override
    public final int onDataRead(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endStream) {
        if (padding > 0 && !data.isReadable() && !endStream) {
            connection.emptyFrame();
        }
        return data(streamId, data, padding, endStream);
    }
}
