package dev.postern.core.http2.guard;

import static dev.postern.core.testing.FrameClient.ACK;
import static dev.postern.core.testing.FrameClient.CONTINUATION;
import static dev.postern.core.testing.FrameClient.DATA;
import static dev.postern.core.testing.FrameClient.END_HEADERS;
import static dev.postern.core.testing.FrameClient.END_STREAM;
import static dev.postern.core.testing.FrameClient.GOAWAY;
import static dev.postern.core.testing.FrameClient.HEADERS;
import static dev.postern.core.testing.FrameClient.PING;
import static dev.postern.core.testing.FrameClient.PRIORITY;
import static dev.postern.core.testing.FrameClient.PUSH_PROMISE;
import static dev.postern.core.testing.FrameClient.SETTINGS;
import static dev.postern.core.testing.FrameClient.numbers;
import static dev.postern.core.testing.FrameClient.request;

import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Rate;
import dev.postern.core.http2.FrameTable;
import dev.postern.core.testing.FieldBlock;
import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.flood.Floods;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Table of what a client sends to exceed each limit; responses have 200,000 bytes, and none comes for {@link FrameTable#HOLD}. */
final class FloodTable {

    private static final Rate TEN = Rate.of("10/h");
    private static final String HOLD = FrameTable.HOLD;

    /** Limits that the floods exceed. */
    static final Http2Limits FEW = new Http2Limits(
            4,
            ByteSize.of("64KiB"),
            ByteSize.of("64KiB"),
            ByteSize.of("4KiB"),
            5,
            Duration.ofMillis(300),
            TEN,
            TEN,
            TEN);

    private FloodTable() {}

    record Flood(AbuseLimit limit, int[] settings, Consumer<FrameClient> client) {

        @Override
        public String toString() {
            return limit.label();
        }
    }

    private static Flood flood(AbuseLimit limit, Consumer<FrameClient> client) {
        return new Flood(limit, new int[0], client);
    }

    static List<Flood> all() {
        return List.of(
                flood(AbuseLimit.RESETS, c -> {
                    for (int id = 1; id < 23; id += 2) {
                        c.get(id, HOLD).reset(id);
                    }
                }),
                flood(AbuseLimit.FAULTS, c -> {
                    for (int id = 1; id < 23; id += 2) {
                        c.get(id, HOLD).window(id, 0);
                    }
                }),
                flood(AbuseLimit.FAULTS, c -> {
                    for (int id = 1; id < 23; id += 2) {
                        c.get(id, "/", "X-Up", "a");
                    }
                }),
                flood(AbuseLimit.SETTINGS, c -> repeat(11, i -> c.frame(SETTINGS, 0, 0, new byte[0]))),
                flood(AbuseLimit.PINGS, c -> repeat(11, i -> c.frame(PING, 0, 0, new byte[8]))),
                flood(AbuseLimit.SETTINGS, c -> repeat(11, i -> c.frame(SETTINGS, ACK, 0, new byte[0]))),
                flood(AbuseLimit.PINGS, c -> repeat(11, i -> c.frame(PING, ACK, 0, new byte[8]))),
                flood(AbuseLimit.GOAWAYS, c -> repeat(11, i -> c.frame(GOAWAY, 0, 0, new byte[8]))),
                flood(AbuseLimit.GOAWAYS, c -> {
                    c.get(1, HOLD);
                    repeat(11, i -> c.frame(GOAWAY, 0, 0, new byte[16_000]));
                }),
                flood(AbuseLimit.LATE_FRAMES, c -> {
                    c.post(1, "/", "X-Up", "a").outcome(1);
                    c.bytes(many(20_001, FrameClient.raw(DATA, END_STREAM, 1, new byte[1])));
                }),
                flood(AbuseLimit.LATE_FRAMES, c -> {
                    c.post(1, "/", "X-Up", "a").outcome(1);
                    byte[] block = FieldBlock.of("x-a", "b");
                    c.bytes(many(20_001, FrameClient.raw(HEADERS, END_HEADERS | END_STREAM, 1, block)));
                }),
                flood(AbuseLimit.RESETS, c -> {
                    c.get(1, "/").window(0, 200_000).window(1, 200_000).response(1);
                    repeat(12, i -> c.reset(1)); // the response earned one
                }),
                flood(AbuseLimit.RESETS, c -> {
                    for (int id = 1; id < 45; id += 4) {
                        c.get(id, "/%00").response(id); // refusals earn nothing
                        c.get(id + 2, HOLD).reset(id + 2);
                    }
                }),
                flood(AbuseLimit.WINDOW_UPDATES, c -> {
                    c.get(1, "/").window(0, 200_000).window(1, 200_000).response(1);
                    repeat(5_000, i -> c.window(1, 1));
                }),
                flood(AbuseLimit.EMPTY_FRAMES, c -> {
                    c.post(1, HOLD);
                    repeat(11, i -> c.data(1, false, ""));
                }),
                flood(AbuseLimit.EMPTY_FRAMES, c -> {
                    c.post(1, HOLD);
                    repeat(11, i -> c.frame(DATA, FrameClient.PADDED, 1, new byte[] {2, 0, 0}));
                }),
                flood(
                        AbuseLimit.PRIORITIES,
                        c -> repeat(101, i -> c.frame(PRIORITY, 0, 1, new byte[] {0, 0, 0, 3, 1}))),
                flood(AbuseLimit.UNKNOWN_FRAMES, c -> repeat(101, i -> c.frame(0x42, 0, 0, new byte[3]))),
                flood(AbuseLimit.WINDOW_UPDATES, c -> repeat(1001, i -> c.window(0, 1))),
                flood(AbuseLimit.CONTINUATIONS, c -> {
                    c.frame(HEADERS, END_STREAM, 1, FieldBlock.of(request("GET", "/")));
                    repeat(6, i -> c.frame(CONTINUATION, 0, 1, FieldBlock.of("x-a" + i, "b")));
                }),
                flood(AbuseLimit.FIELD_BLOCK, c -> {
                    String[] large = new String[] {"x-a", "y".repeat(16_350)};
                    c.frame(HEADERS, END_STREAM, 1, FieldBlock.of(large));
                    repeat(3, i -> c.frame(CONTINUATION, 0, 1, FieldBlock.of("x-b", "y".repeat(16_370))));
                    c.frame(CONTINUATION, END_HEADERS, 1, FieldBlock.of("x-b", "y".repeat(16_370)));
                }),
                flood(
                        AbuseLimit.FIELD_SECTION,
                        c -> c.frame(HEADERS, END_HEADERS | END_STREAM, 1, Floods.bombBlock(true))),
                // One stream uses the connection's window of 65535, which never opens again.
                new Flood(AbuseLimit.WINDOW_TIMEOUT, new int[] {4, 1 << 20}, c -> c.get(1, "/")));
    }

    /** Returns the beginnings of heads whose rest does not come. */
    static List<byte[]> halfHeads() {
        byte[] whole = FrameClient.raw(HEADERS, END_STREAM | END_HEADERS, 1, FieldBlock.of(request("GET", "/")));
        return List.of(
                FrameClient.raw(HEADERS, END_STREAM, 1, FieldBlock.of(request("GET", "/"))),
                FrameClient.raw(PUSH_PROMISE, 0, 1, numbers(2)),
                Arrays.copyOf(whole, whole.length - 1));
    }

    static byte[] many(int n, byte[] frame) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        repeat(n, i -> all.writeBytes(frame));
        return all.toByteArray();
    }

    static void repeat(int n, Consumer<Integer> step) {
        for (int i = 0; i < n; i++) {
            step.accept(i);
        }
    }
}
