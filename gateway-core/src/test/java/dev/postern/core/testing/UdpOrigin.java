package dev.postern.core.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** UDP socket on loopback that a test reads and writes by hand; each read ends after 20 s at the latest. */
public final class UdpOrigin implements AutoCloseable {

    private final LoopbackPort port;
    private final DatagramSocket socket;
    private @Nullable SocketAddress last;

    public UdpOrigin() {
        try {
            port = LoopbackPort.open();
            socket = port.udp();
            socket.setSoTimeout(20_000);
            socket.setReceiveBufferSize(4 * 1024 * 1024);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return port.number();
    }

    /** Returns the path of a UDP tunnel to this socket. */
    public String path() {
        return "/.well-known/masque/udp/127.0.0.1/" + port() + "/";
    }

    /** Returns the payload of the next datagram. */
    public byte[] receive() {
        DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
        try {
            socket.receive(packet);
        } catch (SocketTimeoutException e) {
            throw new AssertionError("no datagram (expected: one within 20 s)", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        last = packet.getSocketAddress();
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }

    /** Sends a datagram to the sender of the last one. */
    public UdpOrigin reply(byte[] payload) {
        return send(socket, payload);
    }

    /** Sends a datagram to the sender of the last one from another port than it sent to. */
    public UdpOrigin replyFromAnotherPort(byte[] payload) {
        try (DatagramSocket other = new DatagramSocket(new InetSocketAddress(socket.getLocalAddress(), 0))) {
            return send(other, payload);
        } catch (SocketException e) {
            throw new UncheckedIOException(e);
        }
    }

    private UdpOrigin send(DatagramSocket from, byte[] payload) {
        SocketAddress to = last;
        if (to == null) {
            throw new IllegalStateException("no datagram was received");
        }
        try {
            from.send(new DatagramPacket(payload, payload.length, to));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    @Override
    public void close() {
        try {
            port.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
