package dev.postern.core.testing;

import dev.postern.core.route.PortSet;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;

/**
 * Port of 127.0.0.1 that is free for TCP and for UDP, with a socket for each. While both are open, no listener of a gateway has this port:
 * a gateway refuses datagrams to the port of a listener, which is its own address.
 */
public record LoopbackPort(ServerSocket tcp, DatagramSocket udp) implements AutoCloseable {

    private static final PortSet PERMITTED = PortSet.ofUdp(List.of("1-65535"));
    private static final int ATTEMPTS = 100;
    private static final int MAX_WAITING = 256;

    /** Takes a port that other programs use neither for TCP nor for UDP, and that a range of a forward policy permits. */
    public static LoopbackPort open() throws IOException {
        for (int i = 1; true; i++) {
            ServerSocket tcp = new ServerSocket(0, MAX_WAITING, InetAddress.getLoopbackAddress());
            try {
                if (!PERMITTED.contains(tcp.getLocalPort())) {
                    throw new BindException("port " + tcp.getLocalPort() + " is of an amplifying service");
                }
                return new LoopbackPort(tcp, new DatagramSocket(tcp.getLocalPort(), tcp.getInetAddress()));
            } catch (BindException e) {
                tcp.close();
                if (i == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    public int number() {
        return tcp.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        udp.close();
        tcp.close();
    }
}
