package dev.postern.app.demo;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;

/** UDP socket on loopback that returns each datagram to its sender: the destination of the demo's UDP tunnels. Thread-safe. */
final class EchoSocket implements AutoCloseable {

    private static final int MAX_DATAGRAM = 65_535;

    private final DatagramSocket socket;

    private EchoSocket(DatagramSocket socket) {
        this.socket = socket;
        Thread thread = new Thread(this::echo, "postern-echo");
        thread.setDaemon(true);
        thread.start();
    }

    static EchoSocket start() throws IOException {
        return new EchoSocket(new DatagramSocket(new InetSocketAddress("127.0.0.1", 0)));
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
    }
}
