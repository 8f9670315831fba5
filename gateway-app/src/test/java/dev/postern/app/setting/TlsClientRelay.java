package dev.postern.app.setting;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** Relay in front of a TLS listener for clients of tests that speak no TLS: each connection becomes one with TLS and that protocol (ALPN). */
final class TlsClientRelay implements AutoCloseable {

    private final ServerSocket listener;
    private final SSLContext context;
    private final int port;
    private final String protocol;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    /** @param port of the TLS listener */
    TlsClientRelay(SSLContext context, int port, String protocol) throws IOException {
        this.listener = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        this.context = context;
        this.port = port;
        this.protocol = protocol;
        daemon(() -> {
            while (true) {
                relay(listener.accept());
            }
        });
    }

    int port() {
        return listener.getLocalPort();
    }

    private interface Task {

        void run() throws IOException;
    }

    private static void daemon(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                // closed by the test, or an end of a connection, which the other end then sees
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void relay(Socket client) throws IOException {
        sockets.add(client);
        SSLSocket server = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        sockets.add(server);
        SSLParameters parameters = server.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {protocol});
        server.setSSLParameters(parameters);
        server.startHandshake();
        daemon(() -> pump(client, server));
        daemon(() -> pump(server, client));
    }

    private static void pump(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
