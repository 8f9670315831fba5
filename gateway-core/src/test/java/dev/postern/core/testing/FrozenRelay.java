package dev.postern.core.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Relay in front of a server that can stop copying without closing anything, as a network does behind which a host has vanished. Connections
 * that are opened later are copied again.
 */
public final class FrozenRelay implements AutoCloseable {

    private final ServerSocket server;
    private volatile InetSocketAddress target;
    private final List<Pair> pairs = new CopyOnWriteArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();

    /** @param target host and port of the server */
    public FrozenRelay(String target) {
        this.target = socket(target);
        try {
            server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    private static InetSocketAddress socket(String address) {
        int colon = address.lastIndexOf(':');
        return new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    }

    /** Connects clients from now on to another server, as a name does that got another address; open connections stay. */
    public void repoint(String address) {
        target = socket(address);
    }

    /** Closes the connections that are open now, and leads later ones to another server, as a fail-over does. */
    public void redirect(String other) {
        target = socket(other);
        try {
            closePairs();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    public int port() {
        return server.getLocalPort();
    }

    public String address() {
        return "127.0.0.1:" + port();
    }

    /** Returns the number of connections accepted so far. */
    public int accepted() {
        return accepted.get();
    }

    /** Returns how many of the frozen connections the client has closed. */
    public long abandoned() {
        return pairs.stream().filter(Pair::abandoned).count();
    }

    /** Stops copying on the connections that are open now. */
    public void freeze() {
        pairs.forEach(pair -> pair.frozen = true);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                accepted.incrementAndGet();
                connect(client);
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void connect(Socket client) throws IOException {
        InetSocketAddress to = target;
        try {
            Socket origin = new Socket(to.getAddress(), to.getPort());
            client.setTcpNoDelay(true);
            origin.setTcpNoDelay(true);
            Pair pair = new Pair(client, origin);
            pairs.add(pair);
            start(() -> pair.copy(client, origin));
            start(() -> pair.copy(origin, client));
        } catch (IOException e) {
            client.close(); // as a refused connection, but later
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            closePairs();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void closePairs() throws IOException {
        for (Pair pair : pairs) {
            pair.client.close();
            pair.origin.close();
        }
    }

    /** Two connections between which bytes are copied. */
    private static final class Pair {

        private final Socket client;
        private final Socket origin;
        private volatile boolean frozen;
        private volatile boolean ended;

        Pair(Socket client, Socket origin) {
            this.client = client;
            this.origin = origin;
        }

        /** Returns whether the client ended a frozen connection. */
        boolean abandoned() {
            return frozen && ended;
        }

        /** Copies until the end; reads on while frozen, to see the end of the client, and drops what it reads. */
        void copy(Socket from, Socket to) {
            byte[] buffer = new byte[16_384];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    if (!frozen) {
                        out.write(buffer, 0, n);
                        out.flush();
                    }
                }
            } catch (IOException e) {
                // ended
            }
            end(from, to);
        }

        private void end(Socket from, Socket to) {
            ended |= from == client;
            if (!frozen) {
                try {
                    to.close();
                    from.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
