package dev.postern.load.worker;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/** Kept-alive connections that made one request each and are then left alone, spread over source addresses so that ports last. */
final class HeldConnections implements Held, AutoCloseable {
    private static final byte[] REQUEST = HttpConnection.get("/", "");
    /** Responses are small and come one at a time. */
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

    /** Asks each once more. */
    @Override
    public int check() throws IOException {
        for (HttpConnection connection : open) {
            ask(connection);
        }
        return open.size();
    }

    List<HttpConnection> all() {
        return List.copyOf(open);
    }

    /** Where the connection of that number comes from. */
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
