package dev.postern.core.http2;

import static dev.postern.core.testing.FrameClient.CONTINUATION;
import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.END_HEADERS;
import static dev.postern.core.testing.FrameClient.END_STREAM;
import static dev.postern.core.testing.FrameClient.GOAWAY;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.PADDED;
import static dev.postern.core.testing.FrameClient.PING;
import static dev.postern.core.testing.FrameClient.PRIORITY;
import static dev.postern.core.testing.FrameClient.PUSH_PROMISE;
import static dev.postern.core.testing.FrameClient.RST_STREAM;
import static dev.postern.core.testing.FrameClient.SETTINGS;
import static dev.postern.core.testing.FrameClient.WINDOW_UPDATE;
import static dev.postern.core.testing.FrameClient.WITH_PRIORITY;
import static dev.postern.core.testing.FrameClient.numbers;
import static dev.postern.core.testing.FrameClient.request;
import static dev.postern.core.testing.FrameClient.settings;

import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Table of the frames that a client may send, rule by rule, and the outcome. {@link RequestTable} has the fields of requests. */
public final class FrameTable {

    /** A request to which the origin never responds. */
    public static final String HOLD = "/hold";

    private FrameTable() {}

    /**
     * Case of the table.
     *
     * @param section of RFC 9113, or of another RFC that is named
     * @param stream whose outcome is checked; 0 for the connection
     * @param outcome as {@link FrameClient#outcome} names it
     */
    record Row(String section, String rule, int stream, String outcome, Consumer<FrameClient> client) {

        @Override
        public String toString() {
            return section + " " + rule + " -> " + outcome;
        }
    }

    static Row row(String section, String rule, String outcome, Consumer<FrameClient> client) {
        return new Row(section, rule, 1, outcome, client);
    }

    private static Row link(String section, String rule, String outcome, Consumer<FrameClient> client) {
        return new Row(section, rule, 0, outcome, client);
    }

    /** Returns the rules of frames and streams. */
    static List<Row> frames() {
        return List.of(
                row("3.4", "a request after the preface", "200", c -> c.get(1, "/")),
                link("4.1", "a frame of an unknown type", "ALIVE", c -> c.frame(0x42, 0xff, 7, new byte[9])),
                link("4.1", "unknown flags", "ALIVE", c -> c.frame(PING, 0xfe, 0, new byte[8])),
                link("4.1", "the reserved bit", "ALIVE", c -> c.frame(PING, 0, 0x80000000, new byte[8])),
                link(
                        "4.2",
                        "DATA beyond the frame size",
                        "GOAWAY FRAME_SIZE_ERROR",
                        c -> c.post(1, HOLD).frame(DATA, 0, 1, new byte[16385])),
                link(
                        "4.2",
                        "HEADERS beyond the frame size",
                        "GOAWAY FRAME_SIZE_ERROR",
                        c -> c.frame(HEADERS, END_HEADERS, 1, new byte[16385])),
                link("4.3", "index 0", "GOAWAY COMPRESSION_ERROR", c -> block(c, 0x80)),
                link("4.3", "an index beyond the table", "GOAWAY COMPRESSION_ERROR", c -> block(c, 0xff, 0x50)),
                link("4.3", "a literal that ends too early", "GOAWAY COMPRESSION_ERROR", c -> block(c, 0, 5, 'a')),
                link(
                        "4.3",
                        "Huffman that ends in the middle",
                        "GOAWAY COMPRESSION_ERROR",
                        c -> block(c, 0, 0x81, 0xff, 1, 'a')),
                link(
                        "4.3",
                        "a table beyond what was allowed",
                        "GOAWAY COMPRESSION_ERROR",
                        c -> block(c, 0x3f, 0xe2, 0x1f)),
                link("4.3", "a new table size after a field", "GOAWAY COMPRESSION_ERROR", c -> block(c, 0x82, 0x20)),
                row(
                        "5.1",
                        "DATA after END_STREAM",
                        "RST STREAM_CLOSED",
                        c -> c.get(1, HOLD).data(1, false, "x")),
                row(
                        "5.1",
                        "HEADERS after END_STREAM",
                        "RST STREAM_CLOSED",
                        c -> c.get(1, HOLD).get(1, HOLD)),
                row(
                        "5.1",
                        "HEADERS after END_STREAM that end nothing",
                        "RST STREAM_CLOSED",
                        c -> c.get(1, HOLD).post(1, HOLD)),
                link("5.1", "DATA on an idle stream", "GOAWAY PROTOCOL_ERROR", c -> c.data(1, true, "x")),
                link("5.1", "RST_STREAM on an idle stream", "GOAWAY PROTOCOL_ERROR", c -> c.reset(1)),
                link("5.1", "WINDOW_UPDATE on an idle stream", "GOAWAY PROTOCOL_ERROR", c -> c.window(1, 1)),
                link("5.1", "PRIORITY on an idle stream", "ALIVE", c -> c.frame(PRIORITY, 0, 9, new byte[5])),
                link("5.1", "HEADERS on a stream that both have ended", "GOAWAY STREAM_CLOSED", c -> {
                    c.get(1, "/").response(1);
                    c.get(1, "/");
                }),
                link("5.1", "WINDOW_UPDATE on a stream that both have ended", "ALIVE", c -> {
                    c.get(1, "/").response(1);
                    c.window(1, 1);
                }),
                link("5.1", "RST_STREAM on a stream that both have ended", "ALIVE", c -> {
                    c.get(1, "/").response(1);
                    c.reset(1);
                }),
                row(
                        "5.1",
                        "DATA on a stream that the client has reset",
                        "RST STREAM_CLOSED",
                        c -> c.post(1, HOLD).reset(1).data(1, true, "x")),
                link("5.1.1", "a stream of even number", "GOAWAY PROTOCOL_ERROR", c -> c.get(2, "/")),
                link("5.1.1", "stream 0", "GOAWAY PROTOCOL_ERROR", c -> c.get(0, "/")),
                link(
                        "5.1.1",
                        "a number lower than before",
                        "GOAWAY PROTOCOL_ERROR",
                        c -> c.get(5, HOLD).get(3, "/")),
                new Row("5.1.1", "numbers left out", 9, "200", c -> c.get(9, "/")),
                link("5.3.1", "HEADERS that depend on themselves", "GOAWAY PROTOCOL_ERROR", c -> {
                    byte[] block = join(numbers(1), new byte[] {15}, FieldBlock.of(request("GET", HOLD)));
                    c.frame(HEADERS, END_HEADERS | END_STREAM | WITH_PRIORITY, 1, block);
                }),
                link("6.1", "DATA on stream 0", "GOAWAY PROTOCOL_ERROR", c -> c.data(0, false, "x")),
                link(
                        "6.1",
                        "padding as long as the frame",
                        "GOAWAY PROTOCOL_ERROR",
                        c -> c.post(1, HOLD).frame(DATA, PADDED, 1, new byte[] {3, 'a', 0})),
                row(
                        "6.1",
                        "DATA with padding",
                        "200",
                        c -> c.post(1, "/padded").frame(DATA, PADDED | END_STREAM, 1, new byte[] {2, 'a', 'b', 0, 0})),
                link("6.2", "HEADERS on stream 0", "GOAWAY PROTOCOL_ERROR", c -> c.headers(0, true, ":method", "GET")),
                link(
                        "6.2",
                        "padding as long as the block",
                        "GOAWAY PROTOCOL_ERROR",
                        c -> c.frame(HEADERS, PADDED | END_HEADERS, 1, new byte[] {5, 0, 0})),
                row(
                        "6.2",
                        "HEADERS with padding and priority",
                        "200",
                        c -> c.frame(
                                HEADERS,
                                PADDED | WITH_PRIORITY | END_HEADERS | END_STREAM,
                                1,
                                join(new byte[] {1, 0, 0, 0, 0, 15}, FieldBlock.of(request("GET", "/")), new byte[1]))),
                link("6.3", "PRIORITY on stream 0", "GOAWAY PROTOCOL_ERROR", c -> c.frame(PRIORITY, 0, 0, new byte[5])),
                row(
                        "6.3",
                        "PRIORITY of four bytes",
                        "RST FRAME_SIZE_ERROR",
                        c -> c.get(1, HOLD).frame(PRIORITY, 0, 1, new byte[4])),
                link("6.4", "RST_STREAM on stream 0", "GOAWAY PROTOCOL_ERROR", c -> c.reset(0)),
                link(
                        "6.4",
                        "RST_STREAM of three bytes",
                        "GOAWAY FRAME_SIZE_ERROR",
                        c -> c.get(1, HOLD).frame(RST_STREAM, 0, 1, new byte[3])),
                link("6.5", "SETTINGS on a stream", "GOAWAY PROTOCOL_ERROR", c -> c.frame(SETTINGS, 0, 1, new byte[0])),
                link(
                        "6.5",
                        "SETTINGS of five bytes",
                        "GOAWAY FRAME_SIZE_ERROR",
                        c -> c.frame(SETTINGS, 0, 0, new byte[5])),
                link(
                        "6.5",
                        "an acknowledgement that holds something",
                        "GOAWAY FRAME_SIZE_ERROR",
                        c -> c.frame(SETTINGS, FrameClient.ACK, 0, new byte[6])),
                link("6.5.2", "ENABLE_PUSH of 2", "GOAWAY PROTOCOL_ERROR", c -> set(c, 2, 2)),
                link("6.5.2", "a window beyond 2^31-1", "GOAWAY FLOW_CONTROL_ERROR", c -> set(c, 4, 0x80000000)),
                link("6.5.2", "a frame size below 2^14", "GOAWAY PROTOCOL_ERROR", c -> set(c, 5, 16383)),
                link("6.5.2", "a frame size beyond 2^24-1", "GOAWAY PROTOCOL_ERROR", c -> set(c, 5, 1 << 24)),
                link("6.5.2", "an unknown setting", "ALIVE", c -> set(c, 0x99, 1)),
                link(
                        "6.6",
                        "PUSH_PROMISE from a client",
                        "GOAWAY PROTOCOL_ERROR",
                        c -> c.get(1, HOLD)
                                .frame(
                                        PUSH_PROMISE,
                                        END_HEADERS,
                                        1,
                                        join(numbers(2), FieldBlock.of(request("GET", "/"))))),
                link("6.7", "PING on a stream", "GOAWAY PROTOCOL_ERROR", c -> c.frame(PING, 0, 1, new byte[8])),
                link("6.7", "PING of six bytes", "GOAWAY FRAME_SIZE_ERROR", c -> c.frame(PING, 0, 0, new byte[6])),
                link("6.8", "GOAWAY on a stream", "GOAWAY PROTOCOL_ERROR", c -> c.frame(GOAWAY, 0, 1, new byte[8])),
                link("6.8", "GOAWAY, after which the client goes on", "ALIVE", c -> c.frame(GOAWAY, 0, 0, new byte[8])),
                link("6.9", "an increment of 0 for the connection", "GOAWAY PROTOCOL_ERROR", c -> c.window(0, 0)),
                row(
                        "6.9",
                        "an increment of 0 for a stream",
                        "RST PROTOCOL_ERROR",
                        c -> c.get(1, HOLD).window(1, 0)),
                link(
                        "6.9",
                        "WINDOW_UPDATE of three bytes",
                        "GOAWAY FRAME_SIZE_ERROR",
                        c -> c.frame(WINDOW_UPDATE, 0, 0, new byte[3])),
                link(
                        "6.9.1",
                        "a window of the connection beyond 2^31-1",
                        "GOAWAY FLOW_CONTROL_ERROR",
                        c -> c.window(0, Integer.MAX_VALUE).window(0, Integer.MAX_VALUE)),
                row(
                        "6.9.1",
                        "a window of a stream beyond 2^31-1",
                        "RST FLOW_CONTROL_ERROR",
                        c -> c.get(1, HOLD).window(1, Integer.MAX_VALUE).window(1, Integer.MAX_VALUE)),
                link(
                        "6.10",
                        "CONTINUATION without HEADERS",
                        "GOAWAY PROTOCOL_ERROR",
                        c -> c.frame(CONTINUATION, END_HEADERS, 1, FieldBlock.of(request("GET", "/")))),
                link(
                        "6.10",
                        "CONTINUATION of another stream",
                        "GOAWAY PROTOCOL_ERROR",
                        c -> c.frame(HEADERS, END_STREAM, 1, FieldBlock.of(request("GET", "/")))
                                .frame(CONTINUATION, END_HEADERS, 3, FieldBlock.of("x-a", "b"))),
                link(
                        "6.10",
                        "another frame inside a block",
                        "GOAWAY PROTOCOL_ERROR",
                        c -> c.frame(HEADERS, END_STREAM, 1, FieldBlock.of(request("GET", "/")))
                                .frame(PING, 0, 0, new byte[8])),
                row("6.10", "a block in three frames", "200", c -> {
                    byte[] block = FieldBlock.of(request("GET", "/", "x-long", "y".repeat(90)));
                    c.frame(HEADERS, END_STREAM, 1, Arrays.copyOf(block, 7))
                            .frame(CONTINUATION, 0, 1, Arrays.copyOfRange(block, 7, 50))
                            .frame(CONTINUATION, END_HEADERS, 1, Arrays.copyOfRange(block, 50, block.length));
                }));
    }

    private static void block(FrameClient client, int... bytes) {
        byte[] block = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            block[i] = (byte) bytes[i];
        }
        client.frame(HEADERS, END_HEADERS | END_STREAM, 1, block);
    }

    private static void set(FrameClient client, int identifier, int value) {
        client.frame(SETTINGS, 0, 0, settings(identifier, value));
    }

    private static byte[] join(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        byte[] all = new byte[length];
        int offset = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, offset, part.length);
            offset += part.length;
        }
        return all;
    }
}
