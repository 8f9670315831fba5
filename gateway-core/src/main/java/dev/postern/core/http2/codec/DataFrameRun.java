package dev.postern.core.http2.codec;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Run of small DATA frames without another frame between them, which become one frame for each stream as far as the maximum size of a frame
 * and of its padding permit. Keeps places in the read, and no bytes. A plain object.
 */
final class DataFrameRun {

    static final int END_STREAM = 1;
    static final int PADDED = 8;

    /** Streams whose frames are joined in turn; those of more streams begin anew. */
    static final int MAX_STREAMS = 256;

    /** Bytes of padding of one frame, with the octet of its length. */
    private static final int MAX_PADDING = 256;

    private static final int FIRST_FRAMES = 16;
    private static final int NONE = -1;

    private final ByteBuf in;
    private final List<Joined> all = new ArrayList<>();
    private final IntObjectMap<Joined> latest = new IntObjectHashMap<>();
    private @Nullable Joined last;

    /** Of each frame: place and length of its data, and the number of the next frame that is joined with it. */
    private int[] places = new int[FIRST_FRAMES];

    private int[] lengths = new int[FIRST_FRAMES];
    private int[] next = new int[FIRST_FRAMES];
    private int frames;

    /** Frame that is made of those of one stream. */
    private static final class Joined {

        private final int stream;
        private final int first;
        private int last;
        private int data;
        private int padding;
        private int paddingAlone;
        private boolean ended;

        Joined(int stream, int first) {
            this.stream = stream;
            this.first = first;
            this.last = first;
        }

        boolean takes(int moreData, int morePadding) {
            int paddingAfter = padding + morePadding;
            return !ended
                    && paddingAfter <= MAX_PADDING
                    && data + moreData + paddingAfter <= Http2CodecUtil.DEFAULT_MAX_FRAME_SIZE;
        }

        void add(int frame, int moreData, int morePadding, boolean end) {
            last = frame;
            data += moreData;
            padding += morePadding;
            ended = end;
            if (moreData == 0 && morePadding > 0 && !end) {
                paddingAlone++;
            }
        }

        int emptyFrames() {
            boolean shows = data == 0 && padding > 0 && !ended;
            return paddingAlone - (shows ? 1 : 0);
        }
    }

    DataFrameRun(ByteBuf in) {
        this.in = in;
    }

    /**
     * Adds a frame.
     *
     * @param place index of its data in the read
     * @param padding bytes of it, with the octet of its length
     * @param end whether it ends the stream
     */
    void add(int stream, int place, int data, int padding, boolean end) {
        int frame = number(place, data);
        Joined joined = of(stream);
        if (joined == null || !joined.takes(data, padding)) {
            joined = new Joined(stream, frame);
            all.add(joined);
            if (latest.size() == MAX_STREAMS) {
                latest.clear();
            }
            latest.put(stream, joined);
        } else {
            next[joined.last] = frame;
        }
        joined.add(frame, data, padding, end);
        last = joined;
    }

    private @Nullable Joined of(int stream) {
        return last != null && last.stream == stream ? last : latest.get(stream);
    }

    private int number(int place, int data) {
        if (frames == places.length) {
            places = Arrays.copyOf(places, 2 * frames);
            lengths = Arrays.copyOf(lengths, 2 * frames);
            next = Arrays.copyOf(next, 2 * frames);
        }
        places[frames] = place;
        lengths[frames] = data;
        next[frames] = NONE;
        return frames++;
    }

    /** Returns whether fewer frames are left than were added. */
    boolean joined() {
        return all.size() < frames;
    }

    /** Returns the number of frames of padding alone beside those that remain such frames. */
    int emptyFrames() {
        int count = 0;
        for (Joined joined : all) {
            count += joined.emptyFrames();
        }
        return count;
    }

    /** Writes the joined frames in the order of their first ones. */
    void write(ByteBuf to) {
        for (Joined joined : all) {
            int padded = joined.padding > 0 ? PADDED : 0;
            to.writeMedium(joined.data + joined.padding);
            to.writeByte(Http2FrameTypes.DATA);
            to.writeByte(padded | (joined.ended ? END_STREAM : 0));
            to.writeInt(joined.stream);
            if (padded != 0) {
                to.writeByte(joined.padding - 1);
            }
            copy(joined, to);
            to.writeZero(Math.max(0, joined.padding - 1));
        }
    }

    private void copy(Joined joined, ByteBuf to) {
        int place = to.ensureWritable(joined.data).writerIndex();
        for (int frame = joined.first; frame != NONE; frame = next[frame]) {
            int length = lengths[frame];
            if (length == 1) {
                to.setByte(place, in.getByte(places[frame])); // half of the time of the general case
            } else {
                to.setBytes(place, in, places[frame], length);
            }
            place += length;
        }
        to.writerIndex(place);
    }

    /** Forgets all frames. */
    void clear() {
        all.clear();
        latest.clear();
        last = null;
        frames = 0;
    }
}
