package dev.postern.core.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.Map;

/**
 * Writes small, complete responses: HEADERS and DATA (RFC 9113 sections 6.1 and 6.2) in one buffer, when the client's windows allow all of
 * the body at once.
 *
 * <p>Most responses are small and complete; the general path costs three buffers and a queue entry. One per connection; event loop only.
 */
final class CoalescedResponseWriter {

    /** Largest body; copying a larger one costs more than a buffer of its own. */
    private static final int MAX_BODY = 2048;

    /** Largest field section; far below the smallest maximum frame size (16 KiB), however badly the fields compress. */
    private static final int MAX_FIELDS = 8192;

    /** Bytes per field for its lengths and indexes. */
    private static final int FIELD_FRAMING = 16;

    private static final int USUAL_FIELDS = 256;
    private static final byte END_HEADERS = 0x4;
    private static final byte END_STREAM = 0x1;

    private final Http2HeadersEncoder fields;
    private final Http2RemoteFlowController windows;
    private final Http2Stream all;

    CoalescedResponseWriter(Http2HeadersEncoder fields, Http2Connection connection) {
        this.fields = fields;
        this.windows = connection.remote().flowController();
        this.all = connection.connectionStream();
    }

    /**
     * Writes the head and the body of a stream that has sent nothing yet. Returns true when both were written; this method then owns the
     * body. Returns false when nothing was changed, and the caller must write head and body separately.
     */
    boolean write(
            ChannelHandlerContext ctx, Http2Stream stream, Http2Headers head, ByteBuf body, ChannelPromise promise) {
        int n = body.readableBytes();
        if (n > MAX_BODY || !ctx.channel().isWritable() || !allowed(stream, n) || !small(head)) {
            return false;
        }
        ByteBuf out = ctx.alloc().directBuffer(USUAL_FIELDS + n);
        try {
            out.writerIndex(Http2CodecUtil.FRAME_HEADER_LENGTH);
            fields.encodeHeaders(stream.id(), head, out);
            windows.incrementWindowSize(all, -n); // the window of the stream is not used any more
        } catch (Http2Exception e) {
            out.release(); // the general path fails too, and handles the error
            return false;
        }
        int block = out.writerIndex() - Http2CodecUtil.FRAME_HEADER_LENGTH;
        out.setMedium(0, block);
        out.setByte(3, Http2FrameTypes.HEADERS);
        out.setByte(4, END_HEADERS);
        out.setInt(5, stream.id());
        out.writeMedium(n);
        out.writeByte(Http2FrameTypes.DATA);
        out.writeByte(END_STREAM);
        out.writeInt(stream.id());
        out.writeBytes(body);
        body.release();
        stream.headersSent(false);
        ctx.write(out, promise);
        return true;
    }

    private boolean allowed(Http2Stream stream, int bytes) {
        boolean open =
                stream.state() == Http2Stream.State.OPEN || stream.state() == Http2Stream.State.HALF_CLOSED_REMOTE;
        return open && windows.windowSize(stream) >= bytes && windows.windowSize(all) >= bytes;
    }

    private static boolean small(Http2Headers head) {
        int bytes = 0;
        for (Map.Entry<CharSequence, CharSequence> field : head) {
            bytes += field.getKey().length() + field.getValue().length() + FIELD_FRAMING;
        }
        return bytes <= MAX_FIELDS;
    }
}
