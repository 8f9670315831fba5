package dev.postern.app.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * UDP socket on loopback that returns each datagram to its sender: the destination of the demo's UDP tunnels. Holds the TCP port of the
 * same number, so that no listener of the gateway gets it, whose address no tunnel may reach. Thread-safe.
 */
final class EchoSocket implements AutoCloseable {

    private static final int MAX_DATAGRAM = 65_535;
    private static final int ATTEMPTS = 10;

    private final DatagramSocket socket;
    private final ServerSocket held;

    private EchoSocket(DatagramSocket socket, ServerSocket held) {
        this.socket = socket;
        this.held = held;
        Thread thread = new Thread(this::echo, "postern-echo");
        thread.setDaemon(true);
        thread.start();
    }

    /** @param port 0 for a free one */
    static EchoSocket start(int port) throws IOException {
        for (int i = 1; true; i++) {
            ServerSocket held = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
            try {
                return new EchoSocket(new DatagramSocket(held.getLocalPort(), held.getInetAddress()), held);
            } catch (BindException e) {
                held.close();
                if (i == ATTEMPTS || port != 0) {
                    throw e;
                }
            }
        }
    }

    int port() {
        return socket.getLocalPort();
    }

    private void echo() {
        byte[] buffer = new byte[MAX_DATAGRAM];
        while (!socket.isClosed()) {
            try {
                DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
                socket.receive(packet);
                socket.send(packet);
            } catch (IOException e) {
                // closed, or the sender is gone: the next datagram may come from another one
            }
        }
    }

    @Override
    public void close() {
        socket.close();
        try {
            held.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
