package dev.postern.load.worker;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Responses on one connection: finds the end of each response and notifies the series that sent the request. Supports
 * bodies of one length only.
 */
final class Responses extends ByteToMessageDecoder {
    private static final int STATUS = 9;
    private static final int STATUS_LENGTH = 3;

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> none) {
        RequestSeries current = RequestSeries.of(context.channel());
        if (current == null || in.readableBytes() < STATUS + STATUS_LENGTH) {
            return;
        }
        String status = in.toString(in.readerIndex() + STATUS, STATUS_LENGTH, StandardCharsets.US_ASCII);
        if (!status.equals("200")) {
            in.skipBytes(in.readableBytes());
            current.fail("status: " + status + " (expected: 200)");
            return;
        }
        int head = headLength(in);
        if (head > 0 && in.readableBytes() >= head + current.body()) {
            in.skipBytes(head + current.body());
            current.responded(context.channel());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        RequestSeries current = RequestSeries.of(context.channel());
        if (current != null) {
            current.fail("connection: closed by the server (expected: kept alive)");
        }
        super.channelInactive(context);
    }

    /** Returns the length up to the empty line; 0 if the empty line has not arrived yet. */
    static int headLength(ByteBuf in) {
        int from = in.readerIndex();
        for (int offset = in.indexOf(from, in.writerIndex(), (byte) '\n');
                offset >= 0;
                offset = in.indexOf(offset + 1, in.writerIndex(), (byte) '\n')) {
            if (offset - from >= 2 && in.getByte(offset - 2) == '\n') {
                return offset + 1 - from;
            }
        }
        return 0;
    }
}
