package dev.postern.load.worker;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.postern.core.testing.FrameClient;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;

/** HTTP/2 connection in clear text (RFC 9113), whose requests are header blocks (RFC 7541) that use the static table only. */
final class Http2Connection {
    /** GET, http, / and localhost. */
    static final byte[] GET = "\u0082\u0086\u0084A\tlocalhost".getBytes(ISO_8859_1);

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1);
    private static final byte[] NOTHING = {};
    /** {@code :status: 200} of the static table, the first byte of a response. */
    private static final int OK = 0x88;

    private final DataInputStream in;
    private final OutputStream out;
    private int next = 1;
    private int streams;

    Http2Connection(Socket socket) throws IOException {
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
        out.write(PREFACE);
        write(FrameClient.SETTINGS, 0, 0, NOTHING);
    }

    /** Returns a request for a tunnel (RFC 9113 section 8.5); method and authority are literals. */
    static byte[] connect(String authority) {
        return ("\u0002\u0007CONNECT\u0001" + (char) authority.length() + authority).getBytes(ISO_8859_1);
    }

    /** Sends a request without body and waits for the end of its response. */
    void exchange(byte[] request) throws IOException {
        await(request(request, FrameClient.END_STREAM), true);
    }

    /** Opens a tunnel; closing it ends the client's direction of its stream. */
    Closeable open(byte[] request) throws IOException {
        int stream = request(request, 0);
        await(stream, false);
        streams++;
        return () -> {
            streams--;
            write(FrameClient.DATA, FrameClient.END_STREAM, stream, NOTHING);
        };
    }

    /** Returns the number of open tunnels. */
    int streams() {
        return streams;
    }

    private int request(byte[] request, int flags) throws IOException {
        int stream = next;
        next += 2;
        write(FrameClient.HEADERS, FrameClient.END_HEADERS | flags, stream, request);
        return stream;
    }

    /** Returns at the head of the response, or at its end. */
    private void await(int stream, boolean untilEnd) throws IOException {
        boolean responded = false;
        while (!responded) {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int of = in.readInt();
            byte[] payload = in.readNBytes(length);
            if (type == FrameClient.SETTINGS && (flags & FrameClient.ACK) == 0) {
                write(FrameClient.SETTINGS, FrameClient.ACK, 0, NOTHING);
            } else if (of == stream) {
                if (type != FrameClient.DATA && (type != FrameClient.HEADERS || (payload[0] & 0xff) != OK)) {
                    throw new IOException("frame type: " + type + " (expected: the response 200)");
                }
                responded = !untilEnd || (flags & FrameClient.END_STREAM) != 0;
            }
        }
    }

    private void write(int type, int flags, int stream, byte[] payload) throws IOException {
        out.write(FrameClient.raw(type, flags, stream, payload));
    }
}
