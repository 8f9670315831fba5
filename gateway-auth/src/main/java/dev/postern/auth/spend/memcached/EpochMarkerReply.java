package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.auth.spend.memcached.command.GetsReply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Reply to the {@code gets} of the server's epoch marker. The reply is the same each time while the server keeps its memory, so it is
 * compared with the last one instead of parsed. For one connection and its thread.
 */
final class EpochMarkerReply {

    private static final ByteBuf NONE = Unpooled.EMPTY_BUFFER;

    private final String key;
    private ByteBuf expected = NONE;
    private GetsReply.@Nullable Response last;

    EpochMarkerReply(byte[] key) {
        this.key = new String(key, US_ASCII);
    }

    /** Returns the last response, or null. */
    GetsReply.@Nullable Response last() {
        return last;
    }

    /** Returns the length of the expected reply in bytes. */
    int length() {
        return expected.readableBytes();
    }

    /** Returns whether the readable bytes equal the expected reply, or a prefix of the expected reply if not all bytes have arrived. */
    boolean matches(ByteBuf in) {
        int length = Math.min(in.readableBytes(), length());
        return length() > 0 && ByteBufUtil.equals(expected, 0, in, in.readerIndex(), length);
    }

    /** Sets the response that is expected from now on. */
    void expect(GetsReply.Response response) {
        byte[] value = response.value();
        last = response;
        if (value == null) {
            expected = NONE;
            return;
        }
        String head = "VALUE " + key + " 0 " + value.length + " " + Long.toUnsignedString(response.cas()) + "\r\n";
        expected = Unpooled.wrappedBuffer(head.getBytes(US_ASCII), value, "\r\nEND\r\n".getBytes(US_ASCII));
    }
}
