package dev.postern.core.testing.flood;

import static dev.postern.core.testing.FrameClient.CONTINUATION;
import static dev.postern.core.testing.FrameClient.END_HEADERS;
import static dev.postern.core.testing.FrameClient.END_STREAM;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.PING;
import static dev.postern.core.testing.FrameClient.RST_STREAM;
import static dev.postern.core.testing.FrameClient.SETTINGS;
import static dev.postern.core.testing.FrameClient.WINDOW_UPDATE;
import static dev.postern.core.testing.FrameClient.numbers;
import static dev.postern.core.testing.FrameClient.raw;
import static dev.postern.core.testing.FrameClient.request;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.function.IntFunction;

/** All floods, by their usual names. */
public final class Floods {

    private static final int FEW = 8;
    private static final int MANY = 100;
    private static final int FRAMES = 4_000;
    private static final int CANCEL = 8;
    private static final int INITIAL_WINDOW = 4;

    private Floods() {}

    private static String budget(String label) {
        return "postern_http2_budgets_total{budget=\"" + label + "\"}";
    }

    public static List<Flood> all() {
        byte[] hold = FieldBlock.of(request("GET", FloodOrigin.HOLD));
        byte[] post = FieldBlock.of(request("POST", FloodOrigin.HOLD));
        return List.of(
                new Flood(
                        "rapid reset",
                        FEW,
                        budget("resets"),
                        port -> http2(
                                port,
                                i -> both(
                                        raw(HEADERS, END_HEADERS | END_STREAM, 2 * i + 1, hold),
                                        raw(RST_STREAM, 0, 2 * i + 1, numbers(CANCEL))))),
                new Flood(
                        "provoked reset",
                        FEW,
                        budget("faults"),
                        port -> http2(
                                port,
                                i -> both(
                                        raw(HEADERS, END_HEADERS | END_STREAM, 2 * i + 1, hold),
                                        raw(WINDOW_UPDATE, 0, 2 * i + 1, numbers(0))))),
                new Flood(
                        "CONTINUATION",
                        FEW,
                        budget("continuations"),
                        port -> http2(
                                port,
                                i -> i == 0
                                        ? raw(HEADERS, END_STREAM, 1, hold)
                                        : raw(CONTINUATION, 0, 1, FieldBlock.of("x-" + i, "b")))),
                new Flood("PING", FEW, budget("pings"), port -> http2(port, i -> raw(PING, 0, 0, new byte[8]))),
                new Flood(
                        "SETTINGS",
                        FEW,
                        budget("settings"),
                        port -> http2(port, i -> raw(SETTINGS, 0, 0, new byte[0]))),
                new Flood(
                        "empty frames",
                        FEW,
                        budget("empty-frames"),
                        port -> http2(
                                port,
                                i -> i == 0
                                        ? raw(HEADERS, END_HEADERS, 1, post)
                                        : raw(FrameClient.DATA, 0, 1, new byte[0]))),
                new Flood("HPACK bomb", FEW, budget("field-section"), Floods::bomb),
                new Flood("zero window", FEW, budget("window-timeout"), Floods::zeroWindow),
                new Flood("slow head", MANY, refused(), port -> http1(port, "GET / HTTP/1.1\r\nHost: h\r\nX-Slow: ")),
                new Flood(
                        "slow body",
                        MANY,
                        refused(),
                        port -> http1(
                                port,
                                "POST " + FloodOrigin.HOLD + " HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nx")),
                new Flood("slow reader", MANY, "postern_connections_closed_total{reason=\"stalled\"}", Floods::unread));
    }

    private static String refused() {
        return "postern_refusals_total{blame=\"client\",code=\"request-timeout\"";
    }

    /** Sends many frames, and reads the frames of the gateway. */
    private static void http2(int port, IntFunction<byte[]> frames) {
        try (FrameClient client = FrameClient.connect(port)) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int i = 0; i < FRAMES; i++) {
                all.writeBytes(frames.apply(i));
            }
            client.bytes(all.toByteArray());
            client.closedByPeer();
        }
    }

    private static byte[] both(byte[] one, byte[] other) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        joined.writeBytes(one);
        joined.writeBytes(other);
        return joined.toByteArray();
    }

    /** Stores a large field in the dynamic table, then refers to it with each byte of a frame (RFC 7541 section 7.3). */
    private static void bomb(int port) {
        try (FrameClient client = FrameClient.connect(port)) {
            for (int id = 1; id < 1_000; id += 2) {
                client.frame(HEADERS, END_HEADERS | END_STREAM, id, bombBlock(id == 1));
            }
            client.closedByPeer();
        }
    }

    /** @param first whether the field is not in the table yet */
    public static byte[] bombBlock(boolean first) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.writeBytes(FieldBlock.of(request("GET", FloodOrigin.HOLD)));
        if (first) {
            block.write(0x40);
            text(block, "x-bomb");
            text(block, "y".repeat(4_000));
        }
        while (block.size() < 16_000) {
            block.write(0x80 | 62);
        }
        return block.toByteArray();
    }

    private static void text(ByteArrayOutputStream out, String text) {
        FieldBlock.integer(out, 0, 7, text.length());
        out.writeBytes(text.getBytes(ISO_8859_1));
    }

    /** Requests large responses and never opens the window. */
    private static void zeroWindow(int port) {
        try (FrameClient client = FrameClient.connect(port, INITIAL_WINDOW, 1 << 20)) {
            for (int id = 1; id < 100; id += 2) {
                client.get(id, FloodOrigin.LARGE);
            }
            client.closedByPeer();
        }
    }

    /** Sends the beginning of a request, and then nothing. */
    private static void http1(int port, String beginning) {
        try (RawClient client = new RawClient(port)) {
            client.send(beginning).rest();
        }
    }

    /** Requests a large response and reads nothing. */
    private static void unread(int port) throws IOException {
        try (RawClient client = new RawClient(port)) {
            client.send("GET " + FloodOrigin.LARGE + " HTTP/1.1\r\nHost: h\r\n\r\n");
            client.awaitReset();
        }
    }
}
