package dev.postern.core.http2.codec;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.jspecify.annotations.Nullable;

/**
 * Joiner of the small DATA frames of one read: within a run of DATA frames those of one stream become one frame (RFC 9113 section 6.1),
 * also if the frames of several streams take turns. It works before they are decoded, since a frame costs more than a hundred of its bytes.
 * The same bytes count for the windows and for the length of the content, and the frames of a stream keep their order. Frames that end with
 * another read stay as they are.
 *
 * <p>Plain object for one read.
 */
public final class DataFrameJoiner {

    /** Bytes of a payload from which on a frame is not joined. */
    private static final int SMALL = 1024;

    private static final int FRAME_HEAD = Http2CodecUtil.FRAME_HEADER_LENGTH;
    private static final int NOT_JOINED = -1;

    private final ByteBuf in;
    private @Nullable ByteBuf out;
    private int copied;
    private @Nullable DataFrameRun run;

    /** Number of frames of a run, and the first of them. */
    private int frames;

    private int begin;
    private long beginHead;
    private int beginPadding;
    private int emptyFrames;

    /** Creates the joiner of a read, of which it takes ownership. */
    public DataFrameJoiner(ByteBuf in) {
        this.in = in;
        this.copied = in.readerIndex();
    }

    /**
     * Returns the read with joined frames, and passes its ownership on.
     *
     * @param first index of the first frame that begins in this read
     */
    public ByteBuf join(int first) {
        int frame = first;
        int end = in.writerIndex();
        while (end - frame >= FRAME_HEAD) {
            long head = in.getLong(frame); // read at once: each reading checks the bounds
            int next = frame + FRAME_HEAD + length(head);
            if (next > end) {
                break;
            }
            int padding = padding(frame, head);
            if (padding == NOT_JOINED) {
                endRun(frame);
            } else {
                add(frame, head, padding);
            }
            frame = next;
        }
        endRun(frame);
        return result();
    }

    /** Returns the number of frames of padding alone that were joined with others, which no longer show when the result is decoded. */
    public int emptyFrames() {
        return emptyFrames;
    }

    /** The first eight octets of a frame: length, type, flags, and the first three of the stream. */
    private static int length(long head) {
        return (int) (head >>> 40);
    }

    private static int type(long head) {
        return (int) (head >>> 32) & 0xff;
    }

    private static boolean has(long head, int flag) {
        return ((int) (head >>> 24) & flag) != 0;
    }

    private int stream(int frame, long head) {
        return ((int) head << 8 | in.getUnsignedByte(frame + FRAME_HEAD - 1)) & Integer.MAX_VALUE;
    }

    /**
     * Returns the length of the padding with the octet of its length, 0 without the flag, or {@link #NOT_JOINED}. Other flags have no
     * meaning (RFC 9113 section 4.1).
     */
    private int padding(int frame, long head) {
        int length = length(head);
        if (type(head) != Http2FrameTypes.DATA || length >= SMALL) {
            return NOT_JOINED;
        }
        if (!has(head, DataFrameRun.PADDED)) {
            return 0;
        }
        int padding = length == 0 ? 1 : 1 + in.getUnsignedByte(frame + FRAME_HEAD);
        return padding <= length ? padding : NOT_JOINED; // malformed
    }

    private void add(int frame, long head, int padding) {
        frames++;
        if (frames == 1) { // most runs have one frame, and need no more than this
            begin = frame;
            beginHead = head;
            beginPadding = padding;
            return;
        }
        DataFrameRun all = run;
        if (all == null) {
            all = new DataFrameRun(in);
            run = all;
        }
        if (frames == 2) {
            addTo(all, begin, beginHead, beginPadding);
        }
        addTo(all, frame, head, padding);
    }

    private void addTo(DataFrameRun all, int frame, long head, int padding) {
        int data = frame + FRAME_HEAD + (padding == 0 ? 0 : 1);
        all.add(stream(frame, head), data, length(head) - padding, padding, has(head, DataFrameRun.END_STREAM));
    }

    /** Writes the frames of a run, if some were joined. */
    private void endRun(int end) {
        DataFrameRun all = run;
        if (all != null && frames > 1) {
            if (all.joined()) {
                ByteBuf to = copyUpTo(begin);
                all.write(to);
                copied = end;
                emptyFrames += all.emptyFrames();
            }
            all.clear();
        }
        frames = 0;
    }

    private ByteBuf copyUpTo(int index) {
        ByteBuf to = out;
        if (to == null) {
            to = in.alloc().directBuffer(in.readableBytes());
            out = to;
        }
        to.writeBytes(in, copied, index - copied);
        copied = index;
        return to;
    }

    private ByteBuf result() {
        if (out == null) {
            return in;
        }
        ByteBuf all = copyUpTo(in.writerIndex());
        in.release();
        return all;
    }
}
