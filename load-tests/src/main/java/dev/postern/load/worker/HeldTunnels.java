package dev.postern.load.worker;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Held tunnels through a forward proxy to a destination in this process: over TCP, UDP, or streams of HTTP/2. */
final class HeldTunnels implements Held {
    private static final int MAX_WAITING = 4_096;
    private static final int MAX_MILLIS = 10_000;

    private final int port;
    private final Opener opener;
    private final List<Tunnel> open = new ArrayList<>();
    /** Takes the connections of TCP tunnels; null for UDP, whose destination never receives. */
    private final @Nullable ServerSocket destination;

    /** Opens the client's side of a tunnel. */
    private interface Opener {
        Closeable open() throws IOException;
    }

    private record Tunnel(Closeable client, @Nullable Socket destination) {
        void close() throws IOException {
            if (destination != null) {
                destination.close();
            }
            client.close();
        }
    }

    /** @param kind {@code tcp}, {@code udp} or {@code h2} */
    HeldTunnels(int port, String kind) throws IOException {
        this.port = port;
        InetAddress here = InetAddress.getLoopbackAddress();
        if (kind.equals("udp")) {
            this.destination = null;
            DatagramSocket socket = new DatagramSocket(new InetSocketAddress(here, 0));
            this.opener = () -> ask(
                    "GET /.well-known/masque/udp/127.0.0.1/%d/ HTTP/1.1\r\nHost: proxy.example\r\nConnection: Upgrade\r\nUpgrade: connect-udp\r\n\r\n"
                            .formatted(socket.getLocalPort()),
                    "HTTP/1.1 101");
        } else {
            this.destination = new ServerSocket(0, MAX_WAITING, here);
            String authority = "127.0.0.1:" + destination.getLocalPort();
            StreamTunnels streams = new StreamTunnels(port, authority);
            this.opener = kind.equals("h2")
                    ? streams::open
                    : () -> ask("CONNECT %1$s HTTP/1.1\r\nHost: %1$s\r\n\r\n".formatted(authority), "HTTP/1.1 200");
        }
    }

    /** Opens and closes tunnels, one after the other; returns their number. */
    int churn(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            tunnel().close();
        }
        return count;
    }

    @Override
    public int grow(int count) throws IOException {
        while (open.size() < count) {
            open.add(tunnel());
        }
        return open.size();
    }

    /** Checks that no connection has received data or its end, at the client or at the destination. */
    @Override
    public int check() throws IOException {
        for (Tunnel tunnel : open) {
            check(tunnel.client instanceof Socket socket ? socket : null);
            check(tunnel.destination);
        }
        return open.size();
    }

    private static void check(@Nullable Socket socket) throws IOException {
        if (socket == null) {
            return;
        }
        socket.setSoTimeout(1);
        try {
            int octet = socket.getInputStream().read();
            throw new IOException("an idle tunnel received " + octet + " (expected: silence)");
        } catch (SocketTimeoutException e) {
            return; // still open
        }
    }

    private Tunnel tunnel() throws IOException {
        Closeable client = opener.open();
        return new Tunnel(client, destination == null ? null : destination.accept());
    }

    private Socket ask(String request, String expected) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(MAX_MILLIS);
        socket.getOutputStream().write(request.getBytes(US_ASCII));
        DataInputStream in = new DataInputStream(socket.getInputStream());
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        if (head.indexOf(expected) != 0) {
            throw new IOException("response: " + head + " (expected: " + expected + ")");
        }
        return socket;
    }
}
