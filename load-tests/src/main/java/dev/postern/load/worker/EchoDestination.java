package dev.postern.load.worker;

import dev.postern.load.measure.Unchecked;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Echo destination on one port of loopback, over TCP and over UDP: sends back what it receives. One thread serves all connections, so
 * that their number does not change the number of threads. Ends with the process.
 */
public final class EchoDestination {
    private static final int MAX_WAITING = 4_096;
    private static final int LONGEST = 65_536;
    private static final int DATAGRAM_BUFFER = 4 << 20;

    private final Selector selector;
    private final DatagramSocket datagrams;
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(LONGEST);

    private EchoDestination(Selector selector, DatagramSocket datagrams) {
        this.selector = selector;
        this.datagrams = datagrams;
    }

    public static void start(int port) throws IOException {
        InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        ServerSocketChannel listener = ServerSocketChannel.open().bind(here, MAX_WAITING);
        listener.configureBlocking(false);
        Selector selector = Selector.open();
        listener.register(selector, SelectionKey.OP_ACCEPT);
        EchoDestination echo = new EchoDestination(selector, datagramSocket(here));
        daemon("echo-tcp", echo::connections);
        daemon("echo-udp", echo::datagrams);
    }

    private static DatagramSocket datagramSocket(InetSocketAddress here) throws IOException {
        DatagramSocket socket = new DatagramSocket(here);
        // The datagrams of all flows wait in this one socket.
        socket.setReceiveBufferSize(DATAGRAM_BUFFER);
        return socket;
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void connections() {
        Unchecked.run(() -> {
            while (true) {
                selector.select(this::ready);
            }
        });
    }

    private void ready(SelectionKey key) {
        Unchecked.run(() -> {
            if (key.channel() instanceof ServerSocketChannel listener) {
                SocketChannel accepted = listener.accept();
                accepted.configureBlocking(false);
                accepted.socket().setTcpNoDelay(true);
                accepted.register(selector, SelectionKey.OP_READ);
            } else {
                echo((SocketChannel) key.channel());
            }
        });
    }

    /** Few messages of a connection are on their way at once, far fewer than the buffers of a socket hold, so that a write takes all. */
    private void echo(SocketChannel channel) throws IOException {
        bytes.clear();
        if (received(channel) < 0) {
            channel.close();
            return;
        }
        bytes.flip();
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** A reset is an end, too. */
    private int received(SocketChannel channel) {
        try {
            return channel.read(bytes);
        } catch (IOException e) {
            return -1;
        }
    }

    private void datagrams() {
        DatagramPacket packet = new DatagramPacket(new byte[LONGEST], LONGEST);
        Unchecked.run(() -> {
            while (true) {
                packet.setLength(LONGEST);
                datagrams.receive(packet);
                datagrams.send(packet);
            }
        });
    }
}
