package dev.postern.app.client;

import dev.postern.core.capsule.CapsuleDecoder;
import dev.postern.core.capsule.DatagramCapsule;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Datagrams through an open UDP tunnel, as capsules over its socket (RFC 9298 section 5). One thread may send while another one receives.
 */
public final class DatagramStream implements CapsuleDecoder.Listener {

    private final Socket socket;
    private final InputStream in;
    private final CapsuleDecoder decoder = new CapsuleDecoder(UnpooledByteBufAllocator.DEFAULT, this);
    private final Deque<byte[]> received = new ArrayDeque<>();
    private final byte[] buffer = new byte[16 * 1024];

    DatagramStream(Socket socket, InputStream in) {
        this.socket = socket;
        this.in = in;
    }

    /** Sends one datagram of at most {@link DatagramCapsule#MAX_PAYLOAD} bytes. */
    public void send(byte[] payload) throws IOException {
        if (payload.length > DatagramCapsule.MAX_PAYLOAD) {
            throw new IOException(
                    "datagram: " + payload.length + " bytes (expected: at most " + DatagramCapsule.MAX_PAYLOAD + ")");
        }
        ByteBuf capsule = Unpooled.buffer(payload.length + DatagramCapsule.MAX_OVERHEAD);
        DatagramCapsule.write(Unpooled.wrappedBuffer(payload), capsule);
        socket.getOutputStream().write(ByteBufUtil.getBytes(capsule));
    }

    /**
     * Returns the payload of the next datagram; empty when none arrives within that time.
     *
     * @param patience positive
     * @throws IOException when the proxy has ended the tunnel
     */
    public Optional<byte[]> receive(Duration patience) throws IOException {
        socket.setSoTimeout((int) patience.toMillis());
        try {
            while (received.isEmpty()) {
                int n = in.read(buffer);
                if (n < 0) {
                    throw new IOException("tunnel: ended by the proxy (expected: open)");
                }
                if (!decoder.decode(Unpooled.wrappedBuffer(buffer, 0, n))) {
                    throw new IOException("capsule: malformed (expected: RFC 9297)");
                }
            }
            return Optional.of(received.remove());
        } catch (SocketTimeoutException e) {
            return Optional.empty();
        }
    }

    @Override
    public void payload(ByteBuf payloads, int index, int length) {
        received.add(ByteBufUtil.getBytes(payloads, index, length));
    }

    @Override
    public void unknownContext() {
        // from an extension that this client did not ask for
    }
}
