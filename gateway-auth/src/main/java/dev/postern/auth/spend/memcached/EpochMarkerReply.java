package dev.postern.auth.spend.memcached;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * The reply to the {@code gets} of the server's mark, which is the same each time as long as the server remembers: compared with the last
 * one instead of parsed. For one connection and its thread.
 */
final class EpochMarkerReply {

    private static final ByteBuf NONE = Unpooled.EMPTY_BUFFER;

    private final String key;
    private ByteBuf expected = NONE;
    private GetsReply.@Nullable Response last;

    EpochMarkerReply(byte[] key) {
        this.key = new String(key, US_ASCII);
    }

    /** What the last reply said, or null. */
    GetsReply.@Nullable Response last() {
        return last;
    }

    /** Bytes of the whole reply. */
    int length() {
        return expected.readableBytes();
    }

    /** Whether the reply that begins there is the last one again, as far as it is there. */
    boolean matches(ByteBuf in) {
        int length = Math.min(in.readableBytes(), length());
        return length() > 0 && ByteBufUtil.equals(expected, 0, in, in.readerIndex(), length);
    }

    /** Expects that answer from now on. */
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
