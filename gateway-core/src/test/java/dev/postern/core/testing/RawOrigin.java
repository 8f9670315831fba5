package dev.postern.core.testing;

import dev.postern.core.testing.TestOrigin.Received;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Origin whose bytes the test reads and writes: it accepts, reads and writes only when the test calls it, and can stall, abort, close one
 * direction, reset, or respond before it has read. Each wait ends after 30 s at the latest.
 */
public final class RawOrigin implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 30_000;
    private static final int PIECE = 64 * 1024;

    private final ServerSocket server;
    private final List<Line> lines = new CopyOnWriteArrayList<>();

    public RawOrigin() {
        try {
            server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
            server.setSoTimeout(PATIENCE_MILLIS);
        } catch (IOException e) {
            throw new IllegalStateException("cannot listen", e);
        }
    }

    public String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** Accepts the next connection of the gateway. */
    public Line accept() {
        try {
            Line line = new Line(server.accept());
            lines.add(line);
            return line;
        } catch (IOException e) {
            throw new IllegalStateException("no connection came", e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        lines.forEach(Line::close);
    }

    /** Progress of a body that is sent as fast as the peer reads. */
    public static final class Pouring {

        private final AtomicLong taken = new AtomicLong();
        private long previous = -1;

        /** Returns the bytes that the gateway, and the sockets up to it, have taken so far. */
        public long taken() {
            return taken.get();
        }

        /** Returns whether some was taken, and nothing since the previous call. */
        public boolean stopped() {
            long current = taken.get();
            boolean same = current > 0 && current == previous;
            previous = current;
            return same;
        }
    }

    /** Connection of the gateway to this origin. */
    public static final class Line extends RawSocket {

        private Line(Socket socket) {
            super(socket);
        }

        /** Creates the origin's end of a connection over a connected socket. */
        static Line over(Socket socket) {
            return new Line(socket);
        }

        /** Reads the next head, including the empty line that ends it. */
        public String readHead() {
            return readUntil("\r\n\r\n");
        }

        /** Reads the next request to its end. */
        public Received readRequest() {
            String head = readHead();
            try {
                return new Received(head, TestOrigin.body(head, in), 0);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read", e);
            }
        }

        /** Reads exactly that many bytes. */
        public String read(int count) {
            String bytes = readBytes(count);
            if (bytes.length() < count) {
                throw new IllegalStateException("ended after " + bytes.length() + " of " + count);
            }
            return bytes;
        }

        public Line send(String bytes) {
            write(bytes);
            return this;
        }

        /** Sends 200 with that body. */
        public Line ok(String body) {
            return send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        }

        /** Sends 200 with a body of that many bytes as fast as they are read, from a separate thread. */
        public Pouring pour(int bytes) {
            Pouring pouring = new Pouring();
            send("HTTP/1.1 200 OK\r\nContent-Length: " + bytes + "\r\n\r\n");
            Thread thread = new Thread(
                    () -> {
                        String piece = "x".repeat(PIECE);
                        for (int left = bytes; left > 0; left -= PIECE) {
                            send(left < PIECE ? piece.substring(0, left) : piece);
                            pouring.taken.addAndGet(Math.min(left, PIECE));
                        }
                    },
                    "raw-origin-pour");
            thread.setDaemon(true);
            thread.start();
            return pouring;
        }

        /** Closes the output; the gateway's bytes are still read. */
        public Line finish() {
            endOutput();
            return this;
        }
    }
}
