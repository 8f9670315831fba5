package dev.postern.load.worker;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the end of each response on one connection and tells the series that asked; enough of HTTP for bodies of one length. */
final class Responses extends ByteToMessageDecoder {
    private static final int STATUS = 9;
    private static final int STATUS_LENGTH = 3;

    private @Nullable RequestSeries series;

    /** Whoever is told of the next responses. */
    void tell(RequestSeries asking) {
        series = asking;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> none) {
        RequestSeries asking = series;
        if (asking == null || in.readableBytes() < STATUS + STATUS_LENGTH) {
            return;
        }
        String status = in.toString(in.readerIndex() + STATUS, STATUS_LENGTH, StandardCharsets.US_ASCII);
        if (!status.equals("200")) {
            in.skipBytes(in.readableBytes());
            asking.fail("status: " + status + " (expected: 200)");
            return;
        }
        int head = headLength(in);
        if (head > 0 && in.readableBytes() >= head + asking.body()) {
            in.skipBytes(head + asking.body());
            asking.responded(context.channel());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        RequestSeries asking = series;
        if (asking != null) {
            asking.fail("connection: closed by the server (expected: kept alive)");
        }
        super.channelInactive(context);
    }

    /** Up to the empty line; 0 when that has not come yet. */
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
