package dev.postern.load.worker;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** Tunnels as streams of HTTP/2 connections (RFC 9113 section 8.5), with a bounded number of open ones on each. */
final class StreamTunnels {
    private static final int STREAMS = 100;
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);
    private static final byte[] NOTHING = {};
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int ACKNOWLEDGED = 1;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    /** {@code :status: 200} of the static table (RFC 7541 appendix A), the first byte of a response. */
    private static final int OK = 0x88;

    private final int port;
    private final byte[] request;
    private @Nullable Connection last;

    StreamTunnels(int port, String authority) {
        this.port = port;
        this.request = request(authority);
    }

    /** Encodes :method and :authority as literals, with names from the static table. */
    private static byte[] request(String authority) {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        head.write(2);
        head.write("CONNECT".length());
        head.writeBytes("CONNECT".getBytes(US_ASCII));
        head.write(1);
        head.write(authority.length());
        head.writeBytes(authority.getBytes(US_ASCII));
        return head.toByteArray();
    }

    /** Opens a tunnel; closing it ends the client's direction of the stream. */
    Closeable open() throws IOException {
        if (last == null || last.open == STREAMS) {
            last = new Connection(new Socket(InetAddress.getLoopbackAddress(), port));
        }
        return last.open(request);
    }

    private static final class Connection {
        private final DataInputStream in;
        private final DataOutputStream out;
        private int open;
        private int next = 1;

        Connection(Socket socket) throws IOException {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(10_000);
            in = new DataInputStream(socket.getInputStream());
            out = new DataOutputStream(socket.getOutputStream());
            out.write(PREFACE);
            write(SETTINGS, 0, 0, NOTHING);
        }

        Closeable open(byte[] request) throws IOException {
            int stream = next;
            next += 2;
            open++;
            write(HEADERS, END_HEADERS, stream, request);
            awaitResponse(stream);
            return () -> {
                open--;
                write(DATA, END_STREAM, stream, NOTHING);
            };
        }

        private void awaitResponse(int stream) throws IOException {
            while (true) {
                int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int type = in.readUnsignedByte();
                int flags = in.readUnsignedByte();
                int of = in.readInt();
                byte[] payload = in.readNBytes(length);
                if (type == SETTINGS && (flags & ACKNOWLEDGED) == 0) {
                    write(SETTINGS, ACKNOWLEDGED, 0, NOTHING);
                } else if (of == stream) {
                    if (type != HEADERS || (payload[0] & 0xff) != OK) {
                        throw new IOException("frame type: " + type + " (expected: the response 200)");
                    }
                    return;
                }
            }
        }

        private void write(int type, int flags, int stream, byte[] payload) throws IOException {
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            DataOutputStream fields = new DataOutputStream(frame);
            fields.writeByte(payload.length >> 16);
            fields.writeShort(payload.length);
            fields.writeByte(type);
            fields.writeByte(flags);
            fields.writeInt(stream);
            fields.write(payload);
            out.write(frame.toByteArray());
        }
    }
}
