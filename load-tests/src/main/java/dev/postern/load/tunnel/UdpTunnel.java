package dev.postern.load.tunnel;

import dev.postern.core.testing.UdpTunnelClient;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;

/**
 * Client's end of a UDP tunnel: each datagram is a capsule of type 0 with context id 0 (RFC 9297 section 3.5, RFC 9298 section 5). One
 * thread may send while another one receives.
 */
public final class UdpTunnel implements Closeable {
    /** Bytes of the longest UDP payload (RFC 9298 section 5). */
    public static final int MAX_PAYLOAD = 65_527;

    private static final long DATAGRAM = 0;
    private static final long UDP_PAYLOAD = 0;
    /** Bytes of the longest content of a capsule: a context id of eight bytes and the payload. */
    private static final int MAX_CAPSULE = 8 + MAX_PAYLOAD;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    /** @param socket connected, whose bytes in both directions are capsules */
    public UdpTunnel(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = socket.getOutputStream();
    }

    /** Sends a datagram of at most {@link #MAX_PAYLOAD} bytes. */
    public void send(byte[] payload) throws IOException {
        if (payload.length > MAX_PAYLOAD) {
            throw new IOException("payload: " + payload.length + " bytes (expected: at most " + MAX_PAYLOAD + ")");
        }
        out.write(UdpTunnelClient.capsule(payload));
    }

    /**
     * Receives a datagram; waits for one without limit, or as long as {@link #timeout} says. Skips capsules of other types and datagrams of
     * other contexts.
     *
     * @throws EOFException when the proxy has ended the tunnel
     * @throws java.net.SocketTimeoutException when none came in time; the tunnel is not usable afterwards
     */
    public byte[] receive() throws IOException {
        while (true) {
            long type = readInteger(in);
            long length = readInteger(in);
            if (type != DATAGRAM) {
                in.skipNBytes(length);
                continue;
            }
            if (length > MAX_CAPSULE) {
                throw new IOException("datagram capsule: " + length + " bytes (expected: at most " + MAX_CAPSULE + ")");
            }
            DataInputStream content = new DataInputStream(new ByteArrayInputStream(in.readNBytes((int) length)));
            if (readInteger(content) == UDP_PAYLOAD) {
                return content.readAllBytes();
            }
        }
    }

    /** Sets how many milliseconds {@link #receive} waits for bytes; 0: without limit. */
    public void timeout(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    /** Reads a variable-length integer (RFC 9000 section 16). */
    private static long readInteger(DataInputStream in) throws IOException {
        int first = in.readUnsignedByte();
        long value = first & 0x3f;
        for (int left = (1 << (first >> 6)) - 1; left > 0; left--) {
            value = value << 8 | in.readUnsignedByte();
        }
        return value;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
