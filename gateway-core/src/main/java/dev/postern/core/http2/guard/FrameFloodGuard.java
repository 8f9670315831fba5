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
    private final byte[] head = new byte[FRAME_HEAD];
    private long skip;
    private int headBytes;
    private int type = -1;

    private FrameFloodGuard(AbuseLimits limits, int skip) {
        this.limits = limits;
        this.skip = skip;
    }

    /** Returns a guard for the bytes of a client, which begin with the connection preface. */
    public static FrameFloodGuard ofClient(AbuseLimits limits) {
        return new FrameFloodGuard(limits, PREFACE);
    }

    /** Returns a guard for the bytes of a server. */
    public static FrameFloodGuard ofServer(AbuseLimits limits) {
        return new FrameFloodGuard(limits, 0);
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
                AbuseLimit exceeded = limits.frame(type, head[4] & 0xff, length);
                if (exceeded != null) {
                    return exceeded;
                }
            }
        }
        return null;
    }

    /** Returns the number of the field block that has begun and whose last byte has not arrived, or 0. */
    public int openBlock() {
        boolean inFrame = skip > 0 && AbuseLimits.ofBlock(type);
        return limits.inBlock() || inFrame ? limits.blocks() : 0;
    }
}
