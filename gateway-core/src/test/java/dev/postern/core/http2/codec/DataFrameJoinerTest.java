package dev.postern.core.http2.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postern.core.config.Rate;
import dev.postern.core.http2.guard.AbuseLimits;
import dev.postern.core.http2.guard.FrameFloodGuard;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.Ticker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DataFrameJoinerTest {

    private static final int DATA = 0;
    private static final int PING = 6;
    private static final int END_STREAM = 1;
    private static final int PADDED = 8;

    private record Frame(int type, int flags, int stream, String payload) {

        void write(ByteBuf out) {
            out.writeMedium(payload.length());
            out.writeByte(type).writeByte(flags).writeInt(stream);
            out.writeCharSequence(payload, ISO_8859_1);
        }

        @Override
        public String toString() {
            return type + "/" + flags + "/" + stream + "/" + payload;
        }
    }

    private static Frame data(int stream, String payload) {
        return new Frame(DATA, 0, stream, payload);
    }

    private static ByteBuf bytes(List<Frame> frames) {
        ByteBuf out = Unpooled.buffer();
        frames.forEach(frame -> frame.write(out));
        return out;
    }

    private static List<Frame> frames(ByteBuf in) {
        List<Frame> frames = new ArrayList<>();
        while (in.isReadable()) {
            int length = in.readUnsignedMedium();
            frames.add(new Frame(
                    in.readByte(),
                    in.readByte(),
                    in.readInt(),
                    in.readCharSequence(length, ISO_8859_1).toString()));
        }
        in.release();
        return frames;
    }

    private static List<Frame> joined(Frame... frames) {
        return frames(new DataFrameJoiner(bytes(List.of(frames))).join(0));
    }

    private static int emptyFrames(Frame... frames) {
        DataFrameJoiner joiner = new DataFrameJoiner(bytes(List.of(frames)));
        joiner.join(0).release();
        return joiner.emptyFrames();
    }

    @Test
    void joinsTheDataOfAStream() {
        assertThat(joined(data(1, "a"), data(1, ""), data(1, "bc"), end(1, "d")))
                .containsExactly(end(1, "abcd"));
    }

    @Test
    void keepsTheOrderOfStreamsAndOtherFrames() {
        Frame ping = new Frame(PING, 0, 0, "12345678");

        assertThat(joined(data(1, "a"), data(3, "b"), data(3, "c"), ping, data(3, "d"), data(3, "e")))
                .containsExactly(data(1, "a"), data(3, "bc"), ping, data(3, "de"));
    }

    @Test
    void joinsTheFramesOfStreamsInTurn() {
        assertThat(joined(data(1, "a"), data(3, "x"), data(1, "b"), data(5, ""), end(3, "y"), data(1, "c")))
                .containsExactly(data(1, "abc"), end(3, "xy"), data(5, ""));
    }

    @Test
    void joinsTheFramesOfAHundredStreamsInTurn() {
        List<Frame> joined = joined(inTurn(100, 4_000));

        assertThat(joined).hasSize(100).allMatch(frame -> frame.payload().length() == 40);
    }

    @Test
    void remembersABoundedNumberOfStreams() {
        List<Frame> joined = joined(inTurn(DataFrameRun.MAX_STREAMS + 1, 3 * (DataFrameRun.MAX_STREAMS + 1)));

        assertThat(meaning(joined)).isEqualTo(meaning(List.of(inTurn(257, 771))));
        assertThat(joined).hasSizeBetween(257, 771);
    }

    private static Frame[] inTurn(int streams, int frames) {
        Frame[] all = new Frame[frames];
        Arrays.setAll(all, i -> data(1 + 2 * (i % streams), "abcdefghij".substring(i % 10, i % 10 + 1)));
        return all;
    }

    @Test
    void joinsNothingBehindTheEndOfAStream() {
        assertThat(joined(end(1, "a"), data(1, "b"))).containsExactly(end(1, "a"), data(1, "b"));
        assertThat(joined(data(1, "a"), end(1, "b"), data(3, "x"), data(1, "c"), data(1, "d")))
                .containsExactly(end(1, "ab"), data(3, "x"), data(1, "cd"));
    }

    private static Frame end(int stream, String data) {
        return new Frame(DATA, END_STREAM, stream, data);
    }

    private static Frame padded(int stream, String data, int padding) {
        return new Frame(DATA, PADDED, stream, (char) padding + data + "\0".repeat(padding));
    }

    @Test
    void joinsPaddedFramesWithAllTheirPadding() {
        // Each frame counts 2 + 2, 3 + 1 and 1 + 2 bytes for the windows.
        assertThat(joined(padded(1, "ab", 1), padded(1, "abc", 0), padded(1, "c", 1)))
                .containsExactly(padded(1, "ababcc", 4));
    }

    @Test
    void joinsPaddedFramesWithOthers() {
        // The padding counts 2, 0, 0, 1 and 3 bytes.
        assertThat(joined(padded(1, "a", 1), data(1, "b"), data(1, "c"), padded(1, "d", 0), padded(1, "e", 2)))
                .containsExactly(padded(1, "abcde", 5));
        assertThat(joined(data(1, "a"), padded(3, "x", 0), padded(1, "b", 0), data(3, "y")))
                .containsExactly(padded(1, "ab", 0), padded(3, "xy", 0));
    }

    @Test
    void countsJoinedFramesOfPaddingAlone() {
        assertThat(joined(padded(1, "", 2), padded(1, "", 2))).containsExactly(padded(1, "", 5));
        assertThat(emptyFrames(padded(1, "", 2), padded(1, "", 2)))
                .as("beside the one that remains")
                .isEqualTo(1);
        assertThat(emptyFrames(padded(1, "", 2), data(1, "a"), padded(3, "", 0), padded(1, "", 0), padded(3, "", 0)))
                .isEqualTo(3);
        assertThat(emptyFrames(padded(1, "", 2), end(1, ""))).isEqualTo(1);
        assertThat(emptyFrames(data(1, ""), data(1, ""), padded(1, "", 0), data(1, "")))
                .as("counted by their heads")
                .isZero();
    }

    @Test
    void exceedsNoPadding() {
        assertThat(joined(padded(1, "a", 200), padded(1, "b", 54), padded(1, "c", 0), padded(1, "d", 1)))
                .containsExactly(padded(1, "ab", 255), padded(1, "cd", 2));
    }

    @Test
    void leavesMalformedAndLargeFramesAlone() {
        Frame padded = new Frame(DATA, PADDED, 1, "\2a"); // more padding than payload
        Frame bare = new Frame(DATA, PADDED, 1, "");
        Frame large = data(1, "x".repeat(1024));

        assertThat(joined(data(1, "a"), padded, padded, bare, bare, large, large, data(1, "b"), data(1, "c")))
                .containsExactly(data(1, "a"), padded, padded, bare, bare, large, large, data(1, "bc"));
    }

    @Test
    void ignoresFlagsAndABitWithoutMeaning() {
        Frame flagged = new Frame(DATA, 0xf6, 1, "b");
        Frame reserved = new Frame(DATA, 0, 0x80000001, "c");

        assertThat(joined(data(1, "a"), flagged, reserved, data(3, "x"), flagged))
                .containsExactly(data(1, "abcb"), data(3, "x"));
    }

    @Test
    void exceedsNoFrameSize() {
        Frame piece = data(1, "x".repeat(1000));
        Frame[] all = new Frame[20];
        Arrays.fill(all, piece);

        assertThat(joined(all)).containsExactly(data(1, "x".repeat(16_000)), data(1, "x".repeat(4000)));
    }

    @Test
    void passesABufferWithoutFramesToJoinOn() {
        ByteBuf in = bytes(List.of(data(1, "x".repeat(2000)), data(1, "a"), data(3, "a"), end(5, "a"), data(5, "b")));

        assertThat(new DataFrameJoiner(in).join(0)).isSameAs(in);
    }

    /** Reads may end anywhere, and the guard says where the first frame of each begins. */
    @Test
    void changesNothingButTheNumberOfFrames() {
        Random random = new Random(42);
        for (int i = 0; i < 40; i++) {
            List<Frame> sent = random(random);
            ByteBuf all = bytes(sent);
            int most = 1 + random.nextInt(400);
            FrameFloodGuard guard =
                    FrameFloodGuard.ofServer(new AbuseLimits(rates(), 16, 16_384, 65_535, Ticker.newMockTicker()));
            ByteBuf received = Unpooled.buffer();
            while (all.isReadable()) {
                ByteBuf read = all.readBytes(1 + random.nextInt(Math.min(most, all.readableBytes())));
                int first = guard.firstFrame(read);
                assertThat(guard.inspect(read)).isNull();
                ByteBuf joined = new DataFrameJoiner(read).join(first);
                received.writeBytes(joined);
                joined.release();
            }
            List<Frame> found = frames(received);
            assertThat(meaning(found)).isEqualTo(meaning(sent));
            assertThat(found).hasSizeLessThanOrEqualTo(sent.size());
        }
    }

    private static List<Frame> random(Random random) {
        List<Frame> frames = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            int stream = 1 + 2 * random.nextInt(4);
            String payload = "abcdefgh".substring(0, random.nextInt(9));
            Frame data = random.nextInt(3) == 0 ? padded(stream, payload, random.nextInt(4)) : data(stream, payload);
            Frame last = random.nextInt(12) == 0 ? end(stream, payload) : data;
            frames.add(random.nextInt(6) == 0 ? new Frame(PING, 1, 0, "12345678") : last);
        }
        return frames;
    }

    /**
     * Returns what the frames mean: for each run of DATA frames the data of each stream with its ends, and the bytes that count for its
     * window; and the other frames.
     */
    private static List<String> meaning(List<Frame> frames) {
        List<String> all = new ArrayList<>();
        Map<Integer, String> data = new TreeMap<>();
        Map<Integer, Integer> counted = new TreeMap<>();
        for (Frame frame : frames) {
            if (frame.type() != DATA) {
                all.add(data + " " + counted);
                all.add(frame.toString());
                data.clear();
                counted.clear();
                continue;
            }
            String payload = frame.payload();
            boolean padded = (frame.flags() & PADDED) != 0;
            String content = padded ? payload.substring(1, payload.length() - payload.charAt(0)) : payload;
            String end = (frame.flags() & END_STREAM) == 0 ? "" : "|";
            data.merge(frame.stream(), content + end, String::concat);
            counted.merge(frame.stream(), payload.length(), Integer::sum);
        }
        all.add(data + " " + counted);
        return all;
    }

    private static AbuseLimits.Rates rates() {
        return new AbuseLimits.Rates(
                Rate.of("100000/s").gcra(100_000),
                Rate.of("100000/s").gcra(100_000),
                Rate.of("100000/s").gcra(100_000));
    }
}
