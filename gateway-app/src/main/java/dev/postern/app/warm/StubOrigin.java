package dev.postern.app.warm;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stub for the servers of upstreams: a port of loopback with the same response to almost every request. One thread per connection. */
final class StubOrigin implements Closeable {

    private static final int BACKLOG = 64;
    private static final byte[] SMALL = response("text/html", 600);
    private static final byte[] LARGE = response("application/octet-stream", 64 * 1024);

    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    StubOrigin() throws IOException {
        server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Thread acceptor = new Thread(this::accept, "postern-warm-up");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    private static byte[] response(String type, int length) {
        return WarmUpConnection.bytes(
                "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nServer: warm-up\r\nContent-Type: "
                        + type + "\r\nCache-Control: no-store\r\nContent-Length: " + length + "\r\n\r\n"
                        + "w".repeat(length));
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                sockets.add(socket);
                Thread thread = new Thread(() -> serve(socket), "postern-warm-up");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                return; // the socket is closed
            }
        }
    }

    private void serve(Socket socket) {
        try (WarmUpConnection connection = new WarmUpConnection(socket)) {
            for (String head = connection.head(); head != null; head = connection.head()) {
                connection.skipBody(head);
                connection.send(head.startsWith("GET /large") ? LARGE : SMALL);
            }
        } catch (IOException e) {
            // The gateway has closed the connection, as every connection here ends.
        } finally {
            sockets.remove(socket);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
