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
import static dev.postern.core.testing.FrameClient.numbers;
import static dev.postern.core.testing.FrameClient.settings;

import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Table of what a server may respond to GET on stream 1, rule by rule: the client's outcome, and the outcome of the server's connection. */
final class ResponseTable {

    private static final String ALIVE = "ALIVE";
    private static final String[] OK = {":status", "200"};

    private ResponseTable() {}

    /**
     * Case of the table.
     *
     * @param section of RFC 9113, or of another RFC that is named
     * @param outcome of the client, as {@link FrameClient#outcome} names it
     * @param line outcome of the server's connection, named likewise
     */
    record Row(String section, String rule, String outcome, String line, Consumer<FrameClient> server) {

        @Override
        public String toString() {
            return section + " " + rule + " -> " + outcome + ", " + line;
        }
    }

    private static Row good(String section, String rule, Consumer<FrameClient> server) {
        return new Row(section, rule, "200", ALIVE, server);
    }

    private static Row malformed(String section, String rule, Consumer<FrameClient> server) {
        return new Row(section, rule, "502", ALIVE, server);
    }

    private static Row cut(String section, String rule, Consumer<FrameClient> server) {
        return new Row(section, rule, "200 RST INTERNAL_ERROR", ALIVE, server);
    }

    private static Row ends(String section, String rule, String error, Consumer<FrameClient> server) {
        return new Row(section, rule, "502", "GOAWAY " + error, server);
    }

    private static void response(FrameClient server, boolean end, String... more) {
        String[] all = Arrays.copyOf(OK, OK.length + more.length);
        System.arraycopy(more, 0, all, OK.length, more.length);
        server.headers(1, end, all);
    }

    private static Row field(String section, String rule, String name, String value) {
        return malformed(section, rule, s -> response(s, true, name, value));
    }

    static List<Row> all() {
        List<Row> rows = new ArrayList<>(heads());
        rows.addAll(fields());
        rows.addAll(bodies());
        rows.addAll(trailers());
        rows.addAll(frames());
        return rows;
    }

    private static List<Row> heads() {
        return List.of(
                good("8.1", "a head that ends the stream", s -> response(s, true)),
                good("8.1", "a head and an end without data", s -> {
                    response(s, false);
                    s.data(1, true, "");
                }),
                good("8.1", "an interim response before", s -> {
                    s.headers(1, false, ":status", "103", "link", "<a>");
                    response(s, true);
                }),
                good("8.1", "several of them", s -> {
                    for (int i = 0; i < 5; i++) {
                        s.headers(1, false, ":status", "100");
                    }
                    response(s, true);
                }),
                malformed("8.1", "an interim response that ends the stream", s -> s.headers(1, true, ":status", "103")),
                malformed("8.1", "data after an interim response", s -> {
                    s.headers(1, false, ":status", "103");
                    s.data(1, true, "x");
                }),
                malformed("8.6", "101", s -> s.headers(1, false, ":status", "101")),
                malformed("8.3.2", "no status", s -> s.headers(1, true, "x-a", "b")),
                malformed("8.3.2", "two statuses", s -> s.headers(1, true, ":status", "200", ":status", "200")),
                malformed("8.3.2", "a status of two digits", s -> s.headers(1, true, ":status", "20")),
                malformed("8.3.2", "a status of four digits", s -> s.headers(1, true, ":status", "2000")),
                malformed("8.3.2", "an empty status", s -> s.headers(1, true, ":status", "")),
                malformed("8.3.2", "a status with letters", s -> s.headers(1, true, ":status", "2x0")),
                malformed("8.3.2", "a status with a sign", s -> s.headers(1, true, ":status", "+20")),
                malformed("9110 15", "a status below 100", s -> s.headers(1, true, ":status", "099")),
                new Row("9110 15", "a status beyond 599", "600", ALIVE, s -> s.headers(1, true, ":status", "600")),
                malformed("8.3", "the status after a field", s -> s.headers(1, true, "x-a", "b", ":status", "200")),
                field("8.3", "a pseudo-header of requests", ":path", "/"),
                field("8.3", "an unknown pseudo-header", ":reason", "OK"),
                malformed("8.3.2", "a status with an upper-case name", s -> s.headers(1, true, ":Status", "200")),
                malformed("6.5.2", "a head beyond the limit", s -> {
                    byte[] block = FieldBlock.of(":status", "200", "x-a", "y".repeat(70_000));
                    s.frame(HEADERS, END_STREAM, 1, Arrays.copyOf(block, 16_000));
                    for (int offset = 16_000; offset < block.length; offset += 16_000) {
                        int end = Math.min(block.length, offset + 16_000);
                        int flags = end == block.length ? END_HEADERS : 0;
                        s.frame(CONTINUATION, flags, 1, Arrays.copyOfRange(block, offset, end));
                    }
                }));
    }

    private static List<Row> fields() {
        return List.of(
                field("8.2.1", "upper case in a name", "X-Up", "a"),
                field("8.2.1", "a blank in a name", "x up", "a"),
                field("8.2.1", "a colon in a name", "x:up", "a"),
                field("8.2.1", "an empty name", "", "a"),
                field("8.2.1", "a byte beyond ASCII in a name", "x-\u00e9", "a"),
                field("8.2.1", "NUL in a value", "x-a", "a\0b"),
                field("8.2.1", "LF in a value", "x-a", "a\nx-b: c"),
                field("8.2.1", "CR in a value", "x-a", "a\rb"),
                field("9110 5.5", "escape in a value", "x-a", "a\u001bb"),
                field("8.2.1", "a blank before a value", "x-a", " a"),
                field("8.2.1", "a tab after a value", "x-a", "a\t"),
                good("8.2.1", "a blank inside a value", s -> response(s, true, "x-a", "a b")),
                good("8.2.1", "an empty value", s -> response(s, true, "x-a", "")),
                field("8.2.2", "connection", "connection", "close"),
                field("8.2.2", "proxy-connection", "proxy-connection", "close"),
                field("8.2.2", "keep-alive", "keep-alive", "1"),
                field("8.2.2", "transfer-encoding", "transfer-encoding", "chunked"),
                field("8.2.2", "upgrade", "upgrade", "h2c"),
                field("8.2.2", "te, which is for requests", "te", "trailers"),
                field("9110 8.6", "a negative length", "content-length", "-1"),
                field("9110 8.6", "a length in hex", "content-length", "0x2"),
                field("9110 8.6", "an empty length", "content-length", ""),
                field("9110 8.6", "a list of lengths", "content-length", "0, 0"),
                field("9110 8.6", "a length that overflows", "content-length", "99999999999999999999"),
                malformed(
                        "9110 8.6",
                        "two lengths",
                        s -> response(s, true, "content-length", "0", "content-length", "0")));
    }

    private static List<Row> bodies() {
        return List.of(
                good("8.1.1", "a body as long as was said", s -> {
                    response(s, false, "content-length", "5");
                    s.data(1, false, "he").data(1, true, "llo");
                }),
                good("8.1.1", "a body of unknown length", s -> {
                    response(s, false);
                    s.data(1, false, "he").data(1, true, "llo");
                }),
                malformed("8.1.1", "no body where one was announced", s -> response(s, true, "content-length", "5")),
                cut("8.1.1", "a body that is too short", s -> {
                    response(s, false, "content-length", "5");
                    s.data(1, true, "hell");
                }),
                cut("8.1.1", "a body that is too long", s -> {
                    response(s, false, "content-length", "5");
                    s.data(1, false, "hello").data(1, true, "o");
                }),
                malformed("8.1", "data before the head", s -> s.data(1, false, "x")),
                malformed("8.1", "data that ends before the head", s -> s.data(1, true, "x")),
                new Row(
                        "9110 15.3.5",
                        "204 with data",
                        "204",
                        ALIVE,
                        s -> s.headers(1, false, ":status", "204").data(1, true, "x")),
                new Row(
                        "9110 15.4.5",
                        "304 with a length",
                        "304",
                        ALIVE,
                        s -> s.headers(1, true, ":status", "304", "content-length", "5")),
                good("6.1", "data with padding", s -> {
                    response(s, false, "content-length", "2");
                    s.frame(DATA, PADDED | END_STREAM, 1, new byte[] {2, 'a', 'b', 0, 0});
                }),
                new Row("8.1", "a reset after the whole response", "200", ALIVE, s -> {
                    response(s, true);
                    s.frame(RST_STREAM, 0, 1, numbers(0));
                }),
                cut("5.4.2", "a reset in the body", s -> {
                    response(s, false);
                    s.data(1, false, "x").frame(RST_STREAM, 0, 1, numbers(2));
                }),
                good("8.1", "a reset without error after all bytes that were announced", s -> {
                    response(s, false, "content-length", "5");
                    s.data(1, false, "hello").frame(RST_STREAM, 0, 1, numbers(0));
                }),
                cut("8.1", "a reset without error before some of them", s -> {
                    response(s, false, "content-length", "5");
                    s.data(1, false, "hell").frame(RST_STREAM, 0, 1, numbers(0));
                }),
                cut("8.1", "a reset without error in a body of unknown length", s -> {
                    response(s, false);
                    s.data(1, false, "hello").frame(RST_STREAM, 0, 1, numbers(0));
                }),
                cut("5.4.2", "a reset with an error after all bytes that were announced", s -> {
                    response(s, false, "content-length", "5");
                    s.data(1, false, "hello").frame(RST_STREAM, 0, 1, numbers(2));
                }),
                malformed("5.4.2", "a reset before the head", s -> s.frame(RST_STREAM, 0, 1, numbers(2))),
                malformed("8.1", "a reset without error before the head", s -> s.frame(RST_STREAM, 0, 1, numbers(0))));
    }

    private static List<Row> trailers() {
        return List.of(
                good("8.1", "trailers", s -> {
                    response(s, false);
                    s.data(1, false, "x").headers(1, true, "x-sum", "7");
                }),
                cut("8.1", "a second head", s -> {
                    response(s, false);
                    s.data(1, false, "x");
                    response(s, true);
                }),
                cut("8.1", "trailers that end nothing", s -> {
                    response(s, false);
                    s.headers(1, false, "x-sum", "7");
                }),
                cut("8.2.1", "a bad name in trailers", s -> {
                    response(s, false);
                    s.headers(1, true, "x sum", "7");
                }),
                cut("8.2.2", "transfer-encoding in trailers", s -> {
                    response(s, false);
                    s.headers(1, true, "transfer-encoding", "chunked");
                }),
                cut("8.1.1", "trailers before the whole body", s -> {
                    response(s, false, "content-length", "5");
                    s.data(1, false, "x").headers(1, true, "x-sum", "7");
                }));
    }

    private static List<Row> frames() {
        return List.of(
                good("4.1", "a frame of an unknown type", s -> {
                    s.frame(0x42, 0xff, 7, new byte[9]);
                    response(s, true);
                }),
                good("6.3", "PRIORITY", s -> {
                    s.frame(PRIORITY, 0, 9, new byte[5]);
                    response(s, true);
                }),
                good("6.5", "SETTINGS in between", s -> {
                    s.frame(SETTINGS, 0, 0, settings(3, 10));
                    response(s, true);
                }),
                good("6.7", "PING in between", s -> {
                    s.frame(PING, 0, 0, new byte[8]);
                    response(s, true);
                }),
                good("6.10", "a block in several frames", s -> {
                    byte[] block = FieldBlock.of(":status", "200", "x-a", "b");
                    s.frame(HEADERS, END_STREAM, 1, Arrays.copyOf(block, 5));
                    s.frame(CONTINUATION, END_HEADERS, 1, Arrays.copyOfRange(block, 5, block.length));
                }),
                ends(
                        "4.2",
                        "DATA beyond the frame size",
                        "FRAME_SIZE_ERROR",
                        s -> s.frame(DATA, 0, 1, new byte[16_385])),
                ends(
                        "4.3",
                        "index 0",
                        "COMPRESSION_ERROR",
                        s -> s.frame(HEADERS, END_HEADERS, 1, new byte[] {(byte) 0x80})),
                ends(
                        "4.3",
                        "an index beyond the table",
                        "COMPRESSION_ERROR",
                        s -> s.frame(HEADERS, END_HEADERS, 1, new byte[] {(byte) 0xff, 0x50})),
                ends("5.1", "HEADERS on a stream that was never opened", "PROTOCOL_ERROR", s -> s.headers(9, true, OK)),
                ends("5.1", "DATA on a stream that was never opened", "PROTOCOL_ERROR", s -> s.data(9, true, "x")),
                ends("5.1", "RST_STREAM on one", "PROTOCOL_ERROR", s -> s.reset(9)),
                ends("5.1.1", "a stream of the server's", "PROTOCOL_ERROR", s -> s.headers(2, true, OK)),
                ends("6.1", "DATA on stream 0", "PROTOCOL_ERROR", s -> s.data(0, false, "x")),
                ends("6.2", "HEADERS on stream 0", "PROTOCOL_ERROR", s -> s.headers(0, true, OK)),
                ends("6.5", "SETTINGS of five bytes", "FRAME_SIZE_ERROR", s -> s.frame(SETTINGS, 0, 0, new byte[5])),
                ends(
                        "6.5.2",
                        "ENABLE_PUSH from a server",
                        "PROTOCOL_ERROR",
                        s -> s.frame(SETTINGS, 0, 0, settings(2, 1))),
                ends(
                        "6.5.2",
                        "a window beyond 2^31-1",
                        "FLOW_CONTROL_ERROR",
                        s -> s.frame(SETTINGS, 0, 0, settings(4, 0x80000000))),
                ends("6.6", "PUSH_PROMISE, which was forbidden", "PROTOCOL_ERROR", s -> {
                    byte[] block = FieldBlock.of(FrameClient.request("GET", "/"));
                    byte[] all = Arrays.copyOf(numbers(2), 4 + block.length);
                    System.arraycopy(block, 0, all, 4, block.length);
                    s.frame(PUSH_PROMISE, END_HEADERS, 1, all);
                }),
                ends("6.7", "PING of six bytes", "FRAME_SIZE_ERROR", s -> s.frame(PING, 0, 0, new byte[6])),
                ends(
                        "6.8",
                        "GOAWAY whose last stream rises",
                        "PROTOCOL_ERROR",
                        s -> s.frame(GOAWAY, 0, 0, numbers(1, 0)).frame(GOAWAY, 0, 0, numbers(9, 0))),
                ends(
                        "6.9",
                        "an increment of 0 for the connection",
                        "PROTOCOL_ERROR",
                        s -> s.frame(WINDOW_UPDATE, 0, 0, numbers(0))),
                ends(
                        "6.9.1",
                        "a window of the connection beyond 2^31-1",
                        "FLOW_CONTROL_ERROR",
                        s -> s.window(0, Integer.MAX_VALUE)),
                ends(
                        "6.10",
                        "CONTINUATION without HEADERS",
                        "PROTOCOL_ERROR",
                        s -> s.frame(CONTINUATION, END_HEADERS, 1, FieldBlock.of(OK))),
                ends(
                        "6.10",
                        "another frame inside a block",
                        "PROTOCOL_ERROR",
                        s -> s.frame(HEADERS, 0, 1, FieldBlock.of(OK)).frame(PING, 0, 0, new byte[8])));
    }
}
