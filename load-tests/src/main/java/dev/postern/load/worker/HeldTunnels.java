package dev.postern.load.worker;

import dev.postern.load.tunnel.TunnelClient;
import dev.postern.load.tunnel.UdpTunnel;
import java.io.Closeable;
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
        InetAddress here = InetAddress.getLoopbackAddress();
        TunnelClient client = new TunnelClient(new InetSocketAddress(here, port), null);
        if (kind.equals("udp")) {
            this.destination = null;
            DatagramSocket socket = new DatagramSocket(new InetSocketAddress(here, 0));
            this.opener = () -> client.udp("127.0.0.1", socket.getLocalPort());
        } else {
            this.destination = new ServerSocket(0, MAX_WAITING, here);
            int target = destination.getLocalPort();
            StreamTunnels streams = new StreamTunnels(port, "127.0.0.1:" + target);
            this.opener = kind.equals("h2") ? streams::open : () -> client.tcp("127.0.0.1", target);
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
            if (tunnel.client instanceof Socket socket) {
                check(socket);
            } else if (tunnel.client instanceof UdpTunnel udp) {
                check(udp);
            }
            if (tunnel.destination != null) {
                check(tunnel.destination);
            }
        }
        return open.size();
    }

    private static void check(Socket socket) throws IOException {
        socket.setSoTimeout(1);
        try {
            int octet = socket.getInputStream().read();
            throw new IOException("an idle tunnel received " + octet + " (expected: silence)");
        } catch (SocketTimeoutException e) {
            return; // still open
        }
    }

    private static void check(UdpTunnel tunnel) throws IOException {
        tunnel.timeout(1);
        try {
            throw new IOException("an idle tunnel received " + tunnel.receive().length + " bytes (expected: silence)");
        } catch (SocketTimeoutException e) {
            return; // still open
        }
    }

    private Tunnel tunnel() throws IOException {
        Closeable client = opener.open();
        return new Tunnel(client, destination == null ? null : destination.accept());
    }
}
