package dev.postern.core.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * Listener for the frames of a connection, for clients and upstreams alike. Ignores priorities; a DATA frame that holds only padding counts
 * as empty. Event loop only.
 */
public abstract class AbstractFrameListener extends Http2FrameAdapter {

    private final AbstractHttp2Connection connection;

    public AbstractFrameListener(AbstractHttp2Connection connection) {
        this.connection = connection;
    }

    /** Handles a complete field section, which the decoder has written into the header block. */
    protected abstract void fields(ChannelHandlerContext ctx, int streamId, boolean endStream) throws Http2Exception;

    /** Handles DATA. Returns how many of its bytes, padding included, no longer count against the window. */
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
