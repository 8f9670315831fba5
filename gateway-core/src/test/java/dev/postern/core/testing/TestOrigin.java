package dev.postern.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Origin that records every received byte and responds, or misbehaves, as the test defines. Uses one thread per connection. */
public final class TestOrigin implements AutoCloseable {

    private final ServerSocket server;
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final Thread acceptor;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final UnaryOperator<Socket> wrapping;
    private volatile Behaviour behaviour = Behaviour.ok("hello");

    /** Received request: the text of the head and the bytes of the body without chunk framing. */
    public record Received(String head, byte[] body, int connection) {

        public String line() {
            return head.substring(0, head.indexOf("\r\n"));
        }

        /** Returns the value of the first field of that name, or an empty text. */
        public String field(String name) {
            for (String line : head.split("\r\n")) {
                int colon = line.indexOf(':');
                if (colon > 0 && line.substring(0, colon).equalsIgnoreCase(name)) {
                    return line.substring(colon + 1).trim();
                }
            }
            return "";
        }
    }

    /** Handles a request; may write anything, or close the socket. */
    @FunctionalInterface
    public interface Behaviour {

        void response(Received request, Socket socket) throws IOException;

        /** Responds 200 with that body and Content-Length. */
        static Behaviour ok(String body) {
            return raw("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        }

        /** Responds with exactly these bytes. */
        static Behaviour raw(String bytes) {
            return (request, socket) -> {
                OutputStream out = socket.getOutputStream();
                out.write(bytes.getBytes(ISO_8859_1));
                out.flush();
            };
        }
    }

    public TestOrigin() {
        this("127.0.0.1", 0, UnaryOperator.identity());
    }

    /** @param port 0 for a free one */
    public TestOrigin(String host, int port) {
        this(host, port, UnaryOperator.identity());
    }

    /** @param wrapping converts each accepted socket before it is read, to TLS for example; runs on the thread of the connection */
    public TestOrigin(UnaryOperator<Socket> wrapping) {
        this("127.0.0.1", 0, wrapping);
    }

    private TestOrigin(String host, int port, UnaryOperator<Socket> wrapping) {
        this.wrapping = wrapping;
        try {
            server = new ServerSocket(port, 200, InetAddress.getByName(host));
        } catch (IOException e) {
            throw new IllegalStateException("cannot listen", e);
        }
        acceptor = new Thread(this::accept, "test-origin");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    public int port() {
        return server.getLocalPort();
    }

    public String address() {
        return server.getInetAddress().getHostAddress() + ":" + port();
    }

    public void behave(Behaviour next) {
        behaviour = next;
    }

    public List<Received> received() {
        return received;
    }

    public int connections() {
        return connections.get();
    }

    /** Closes all open connections. */
    public void closeConnections() {
        for (Socket socket : sockets) {
            quietly(socket);
        }
        sockets.clear();
    }

    @Override
    public void close() {
        try {
            server.close();
            // Until that thread has ended, the port still listens, and its last accepted socket is not among the
            // sockets yet.
            acceptor.join();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closeConnections();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                int number = connections.incrementAndGet();
                Thread thread = new Thread(() -> serve(socket, number), "test-origin-" + number);
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket accepted, int number) {
        Socket socket = accepted;
        try {
            socket = wrapping.apply(accepted);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            while (!socket.isClosed()) {
                String head = head(in);
                if (head.isEmpty()) {
                    break;
                }
                Received request = new Received(head, body(head, in), number);
                received.add(request);
                behaviour.response(request, socket);
            }
        } catch (IOException | RuntimeException e) {
            // closed by the test or the gateway
        } finally {
            quietly(socket);
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        for (int b = in.read(); b >= 0; b = in.read()) {
            head.append((char) b);
            if (b == '\n'
                    && head.length() >= 4
                    && head.substring(head.length() - 4).equals("\r\n\r\n")) {
                return head.toString();
            }
        }
        return "";
    }

    /** Reads the body behind a head, without chunk framing. */
    static byte[] body(String head, InputStream in) throws IOException {
        String lower = head.toLowerCase(Locale.ROOT);
        if (lower.contains("\r\ntransfer-encoding: chunked")) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            for (int size = chunkSize(in); size > 0; size = chunkSize(in)) {
                body.write(in.readNBytes(size));
                line(in);
            }
            line(in);
            return body.toByteArray();
        }
        int offset = lower.indexOf("\r\ncontent-length: ");
        if (offset < 0) {
            return new byte[0];
        }
        int start = offset + 18;
        return in.readNBytes(Integer.parseInt(lower.substring(start, lower.indexOf("\r\n", start))));
    }

    private static int chunkSize(InputStream in) throws IOException {
        return Integer.parseInt(line(in), 16);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("ended inside a line");
            }
            line.append((char) b);
        }
        return line.toString().trim();
    }

    private static void quietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // closed in either case
        }
    }
}
