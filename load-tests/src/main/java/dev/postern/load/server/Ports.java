package dev.postern.load.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Ports on loopback that are free. */
public final class Ports {
    private Ports() {}

    /**
     * Returns a TCP port on which no process listens, and which is given to no other caller for a minute: a connection of it that was closed
     * by the server waits for so long (TIME_WAIT), in which the kernel chooses another port for others, but permits a server that asks for
     * this one, if it sets SO_REUSEADDR, as all servers here do.
     */
    public static int free() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 1, loopback);
                Socket client = new Socket(loopback, server.getLocalPort())) {
            server.accept().close();
            client.getInputStream().read(); // the end, so that the server closes first
            return server.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
