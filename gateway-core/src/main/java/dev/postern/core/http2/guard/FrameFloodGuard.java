package dev.postern.core.http2.guard;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Guard that counts every frame by its header as bytes arrive (RFC 9113 section 4.1), before the frame is decoded; consumes no bytes. One
 * per connection, confined to its event loop.
 */
public final class FrameFloodGuard {

    private static final int PREFACE = 24;
    private static final int FRAME_HEAD = 9;

    private final AbuseLimits limits;
    private final boolean server;
    private final byte[] head = new byte[FRAME_HEAD];
    private long skip;
    private int headBytes;
    private int type = -1;

    private FrameFloodGuard(AbuseLimits limits, boolean server, int skip) {
        this.limits = limits;
        this.server = server;
        this.skip = skip;
    }

    /** Returns a guard for the bytes of a client, which begin with the connection preface. */
    public static FrameFloodGuard ofClient(AbuseLimits limits) {
        return new FrameFloodGuard(limits, false, PREFACE);
    }

    /** Returns a guard for the bytes of a server. */
    public static FrameFloodGuard ofServer(AbuseLimits limits) {
        return new FrameFloodGuard(limits, true, 0);
    }

    /** Counts the frames in the readable bytes. Returns the exceeded limit, or null. */
    @Nullable
    public AbuseLimit inspect(ByteBuf in) {
        int offset = in.readerIndex();
        int end = in.writerIndex();
        while (offset < end) {
            if (skip > 0) {
                int n = (int) Math.min(skip, end - offset);
                skip -= n;
                offset += n;
            } else if (headBytes < FRAME_HEAD) {
                int n = Math.min(FRAME_HEAD - headBytes, end - offset);
                in.getBytes(offset, head, headBytes, n);
                headBytes += n;
                offset += n;
            }
            if (headBytes == FRAME_HEAD) {
                headBytes = 0;
                int length = (head[0] & 0xff) << 16 | (head[1] & 0xff) << 8 | (head[2] & 0xff);
                skip = length;
                type = head[3] & 0xff;
                AbuseLimit exceeded = count(length);
                if (exceeded != null) {
                    return exceeded;
                }
            }
        }
        return null;
    }

    private @Nullable AbuseLimit count(int length) {
        // Those of a client depend on the stream, and are counted when the frame is decoded.
        return server && type == AbuseLimits.RST_STREAM
                ? limits.resetByPeer()
                : limits.frame(type, head[4] & 0xff, length);
    }

    /**
     * Returns the index at which the first frame begins whose head is in these bytes, before {@link #inspect}; the end of the bytes if none
     * does.
     */
    public int firstFrame(ByteBuf in) {
        long rest = skip;
        if (headBytes > 0) {
            int missing = FRAME_HEAD - headBytes;
            if (in.readableBytes() < missing) {
                return in.writerIndex();
            }
            rest = (long) missing + lengthOfBegun(in);
        }
        return (int) Math.min(in.writerIndex(), in.readerIndex() + rest);
    }

    /** Returns the length of the frame of whose head a part came with an earlier read. */
    private int lengthOfBegun(ByteBuf in) {
        int length = 0;
        for (int i = 0; i < 3; i++) {
            int octet = i < headBytes ? head[i] : in.getByte(in.readerIndex() + i - headBytes);
            length = length << 8 | (octet & 0xff);
        }
        return length;
    }

    /** Returns the number of the field block that has begun and whose last byte has not arrived, or 0. */
    public int openBlock() {
        boolean inFrame = skip > 0 && AbuseLimits.ofBlock(type);
        return limits.inBlock() || inFrame ? limits.blocks() : 0;
    }
}
