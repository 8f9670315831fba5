package dev.postern.load.worker;

import dev.postern.load.tunnel.TunnelClient;
import dev.postern.load.tunnel.UdpTunnel;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Round trips over one tunnel or connection: sends a message, and checks that what comes back is that message. */
interface RoundTrips extends OpenLoad.Caller, Closeable {
    /** Bytes of a message over TCP. */
    int MESSAGE = 200;
    /** Bytes of a datagram. */
    int DATAGRAM = 1_200;
    /** Milliseconds after which a round trip has failed. */
    int MAX_WAIT = 5_000;

    /** Opens tunnels or connections to one address. */
    interface Opener {
        RoundTrips open() throws IOException;
    }

    /**
     * Returns the opener of a kind through the gateway.
     *
     * @param kind {@code tcp}, {@code udp} or {@code http}
     */
    static Opener throughGateway(String kind, int port, int destination) {
        TunnelClient client = new TunnelClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), null);
        return switch (kind) {
            case "tcp" -> () -> bytes(client.tcp("127.0.0.1", destination));
            case "udp" -> () -> datagrams(client.udp("127.0.0.1", destination));
            default -> () -> requests(port);
        };
    }

    /** Returns the opener of a kind through a relay of bytes, which the same client uses without opening a tunnel in it. */
    static Opener throughRelay(String kind, int port) {
        return switch (kind) {
            case "tcp" -> () -> bytes(connected(port));
            case "udp" -> () -> datagrams(new UdpTunnel(connected(port)));
            default -> () -> requests(port);
        };
    }

    private static Socket connected(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        return socket;
    }

    private static RoundTrips bytes(Socket socket) throws IOException {
        socket.setSoTimeout(MAX_WAIT);
        return new RoundTrips() {
            private final byte[] message = new byte[MESSAGE];
            private int sent;

            @Override
            public boolean call() throws IOException {
                ByteBuffer.wrap(message).putInt(sent++);
                socket.getOutputStream().write(message);
                return Arrays.equals(socket.getInputStream().readNBytes(MESSAGE), message);
            }

            @Override
            public void close() throws IOException {
                socket.close();
            }
        };
    }

    private static RoundTrips datagrams(UdpTunnel tunnel) throws IOException {
        tunnel.timeout(MAX_WAIT);
        return new RoundTrips() {
            private final byte[] message = new byte[DATAGRAM];
            private int sent;

            @Override
            public boolean call() throws IOException {
                ByteBuffer.wrap(message).putInt(sent++);
                tunnel.send(message);
                return Arrays.equals(tunnel.receive(), message);
            }

            @Override
            public void close() throws IOException {
                tunnel.close();
            }
        };
    }

    private static RoundTrips requests(int port) throws IOException {
        HttpConnection connection = new HttpConnection(port);
        byte[] request = HttpConnection.get("/", "");
        return new RoundTrips() {
            @Override
            public boolean call() throws IOException {
                return connection.exchange(request) == 200;
            }

            @Override
            public void close() throws IOException {
                connection.close();
            }
        };
    }
}
