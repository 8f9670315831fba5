package dev.postern.load.dribble;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** Bytes of messages and frames. */
final class Wire {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;
    static final int ACK = 1;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;
    static final int PADDED = 8;

    /** Bytes that a sender writes at once. */
    static final int BLOCK = 16 * 1024;

    private Wire() {}

    static byte[] text(String text) {
        return text.getBytes(ISO_8859_1);
    }

    static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** Repeats a unit up to the size of a block, at least once. */
    static byte[] block(byte[] unit) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        do {
            all.writeBytes(unit);
        } while (all.size() + unit.length <= BLOCK);
        return all.toByteArray();
    }

    static byte[] chunk(int size) {
        return text(Integer.toHexString(size) + "\r\n" + "x".repeat(size) + "\r\n");
    }

    static byte[] frame(int type, int flags, int stream, byte[] payload) {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.putShort((short) (payload.length >> 8)).put((byte) payload.length);
        frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
        return frame.array();
    }

    /** Returns a field section of a request, in HPACK without the dynamic table. */
    static byte[] request(String method, String path) {
        byte[] host = concat(new byte[] {1}, literal("h"));
        byte[] methodField = concat(new byte[] {2}, literal(method));
        return concat(methodField, new byte[] {(byte) 0x86}, concat(new byte[] {4}, literal(path)), host);
    }

    /** Returns a field section of CONNECT. */
    static byte[] connect(String authority) {
        return concat(new byte[] {2}, literal("CONNECT"), new byte[] {1}, literal(authority));
    }

    /** Returns a field section of an extended CONNECT for a tunnel of datagrams. */
    static byte[] connectUdp(String path) {
        return concat(
                connect("proxy"),
                new byte[] {0},
                literal(":protocol"),
                literal("connect-udp"),
                new byte[] {(byte) 0x86, 4},
                literal(path),
                new byte[] {0},
                literal("capsule-protocol"),
                literal("?1"));
    }

    /** Returns the field section of a 200. */
    static byte[] ok() {
        return new byte[] {(byte) 0x88};
    }

    private static byte[] literal(String value) {
        return concat(new byte[] {(byte) value.length()}, text(value));
    }
}
