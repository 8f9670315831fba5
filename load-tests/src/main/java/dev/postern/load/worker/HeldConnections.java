package dev.postern.load.worker;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Held connections over HTTP/1.1: each made one request and stays idle; they use several source addresses, so that
 * there are enough ports.
 */
final class HeldConnections implements Held, AutoCloseable {
    private static final byte[] REQUEST = HttpConnection.get("/", "");
    /** Enough for responses, which are small and come one at a time. */
    private static final int BUFFER = 512;

    private static final int ADDRESSES = 20;
    private static final int FIRST_ADDRESS = 10;

    private final List<HttpConnection> open = new ArrayList<>();
    private final int port;

    HeldConnections(int port) {
        this.port = port;
    }

    @Override
    public int grow(int count) throws IOException {
        while (open.size() < count) {
            HttpConnection connection = new HttpConnection(port, address(open.size()), BUFFER);
            open.add(connection);
            ask(connection);
        }
        return open.size();
    }

    /** Sends one more request over each connection. */
    @Override
    public int check() throws IOException {
        for (HttpConnection connection : open) {
            ask(connection);
        }
        return open.size();
    }

    /** Returns the source address of the connection of that number. */
    static InetAddress address(int number) throws IOException {
        return InetAddress.getByName("127.0.0." + (FIRST_ADDRESS + number % ADDRESSES));
    }

    private static void ask(HttpConnection connection) throws IOException {
        int status = connection.exchange(REQUEST);
        if (status != 200) {
            throw new IOException("status: " + status + " (expected: 200)");
        }
    }

    @Override
    public void close() throws IOException {
        for (HttpConnection connection : open) {
            connection.close();
        }
    }
}
