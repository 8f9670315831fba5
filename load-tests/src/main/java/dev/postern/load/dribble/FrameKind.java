package dev.postern.load.dribble;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Unit of frames that a client or an upstream repeats: of each type of frame at least one, in both directions.
 *
 * @param begins whether the unit begins a message: a client's on a stream of its own, an upstream's before the final head
 * @param unit by stream
 */
record FrameKind(String name, boolean begins, IntFunction<byte[]> unit) {
    /** Fields of trailers that fit into a field section. */
    private static final int FIELDS = 250;

    private static final byte[] CANCEL = {0, 0, 0, 8};
    private static final byte[] NO_FIELDS = {};
    /** Field section of a 103, in HPACK without the dynamic table. */
    private static final byte[] HINT = {8, 3, '1', '0', '3'};

    /** Field of trailers, in HPACK without the dynamic table. */
    private static final byte[] FIELD = {0, 1, 'a', 1, 'b'};

    /** Field of one byte: accept-encoding of HPACK's static table. */
    private static final byte[] INDEXED = {(byte) 0x90};

    static List<FrameKind> ofClient() {
        List<FrameKind> all = ofBoth();
        byte[] get = Wire.request("GET", "/none");
        all.add(begin("HTTP/2 requests refused with 404", stream -> section(stream, Wire.END_STREAM, get)));
        all.add(begin(
                "HEADERS and RST_STREAM",
                stream -> Wire.concat(
                        section(stream, 0, Wire.request("POST", "/app/sink")),
                        Wire.frame(Wire.RST_STREAM, 0, stream, CANCEL))));
        all.add(begin("CONTINUATION of 1 byte", stream -> split(stream, Wire.END_STREAM, get)));
        byte[] indexed = Wire.concat(get, repeated(INDEXED, FIELDS));
        all.add(begin("HTTP/2 requests with indexed fields", stream -> section(stream, Wire.END_STREAM, indexed)));
        byte[] post = Wire.request("POST", "/none");
        all.add(begin(
                "discarded HTTP/2 trailers",
                stream -> Wire.concat(
                        section(stream, 0, post), section(stream, Wire.END_STREAM, repeated(FIELD, FIELDS)))));
        all.add(begin(
                "discarded HTTP/2 trailers, indexed",
                stream -> Wire.concat(
                        section(stream, 0, post), section(stream, Wire.END_STREAM, repeated(INDEXED, FIELDS)))));
        all.add(begin(
                "discarded HTTP/2 trailers, CONTINUATION of 1 byte",
                stream -> Wire.concat(section(stream, 0, post), split(stream, Wire.END_STREAM, repeated(FIELD, 2)))));
        byte[] sink = Wire.request("POST", "/app2/sink");
        all.add(begin(
                "HTTP/2 trailers, h2 upstream",
                stream -> Wire.concat(
                        section(stream, 0, sink), section(stream, Wire.END_STREAM, repeated(FIELD, FIELDS)))));
        return all;
    }

    static List<FrameKind> ofUpstream() {
        List<FrameKind> all = ofBoth();
        all.add(begin("103 in HEADERS", stream -> section(stream, 0, HINT)));
        all.add(begin("103 in CONTINUATION of 1 byte", stream -> split(stream, 0, HINT)));
        all.add(then("HTTP/2 trailers", stream -> section(stream, Wire.END_STREAM, repeated(FIELD, FIELDS))));
        all.add(then(
                "HTTP/2 trailers, CONTINUATION of 1 byte",
                stream -> split(stream, Wire.END_STREAM, repeated(FIELD, 2))));
        return all;
    }

    private static List<FrameKind> ofBoth() {
        byte[] promise = Wire.concat(new byte[] {0, 0, 0, 2}, Wire.request("GET", "/none"));
        return new ArrayList<>(List.of(
                then("empty DATA", stream -> Wire.frame(Wire.DATA, 0, stream, NO_FIELDS)),
                then("DATA of padding alone", stream -> Wire.frame(Wire.DATA, Wire.PADDED, stream, new byte[] {1, 0})),
                then("PRIORITY", stream -> Wire.frame(Wire.PRIORITY, 0, stream, new byte[5])),
                then("RST_STREAM", stream -> Wire.frame(Wire.RST_STREAM, 0, stream, CANCEL)),
                then("SETTINGS", stream -> Wire.frame(Wire.SETTINGS, 0, 0, NO_FIELDS)),
                then("SETTINGS, acknowledgements", stream -> Wire.frame(Wire.SETTINGS, Wire.ACK, 0, NO_FIELDS)),
                then("PUSH_PROMISE", stream -> Wire.frame(Wire.PUSH_PROMISE, Wire.END_HEADERS, stream, promise)),
                then("PING", stream -> Wire.frame(Wire.PING, 0, 0, new byte[8])),
                then("PING, acknowledgements", stream -> Wire.frame(Wire.PING, Wire.ACK, 0, new byte[8])),
                then("GOAWAY", stream -> Wire.frame(Wire.GOAWAY, 0, 0, new byte[] {0x7f, -1, -1, -1, 0, 0, 0, 0})),
                then("WINDOW_UPDATE", stream -> Wire.frame(Wire.WINDOW_UPDATE, 0, 0, new byte[] {0, 0, 0, 1})),
                then(
                        "WINDOW_UPDATE of a stream",
                        stream -> Wire.frame(Wire.WINDOW_UPDATE, 0, stream, new byte[] {0, 0, 0, 1})),
                then("unknown frames", stream -> Wire.frame(0x42, 0, 0, NO_FIELDS))));
    }

    private static FrameKind begin(String name, IntFunction<byte[]> unit) {
        return new FrameKind(name, true, unit);
    }

    /** Kind that follows the head of a message. */
    private static FrameKind then(String name, IntFunction<byte[]> unit) {
        return new FrameKind(name, false, unit);
    }

    private static byte[] repeated(byte[] field, int times) {
        byte[][] all = new byte[times][];
        Arrays.fill(all, field);
        return Wire.concat(all);
    }

    private static byte[] section(int stream, int flags, byte[] fields) {
        return Wire.frame(Wire.HEADERS, flags | Wire.END_HEADERS, stream, fields);
    }

    /** Returns a field section of which each frame has one byte. */
    private static byte[] split(int stream, int flags, byte[] fields) {
        byte[] all = Wire.frame(Wire.HEADERS, flags, stream, new byte[] {fields[0]});
        for (int i = 1; i < fields.length; i++) {
            int end = i == fields.length - 1 ? Wire.END_HEADERS : 0;
            all = Wire.concat(all, Wire.frame(Wire.CONTINUATION, end, stream, new byte[] {fields[i]}));
        }
        return all;
    }
}
