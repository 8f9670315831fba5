package dev.postern.app.socket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** Connected socket that sends bytes and reads messages of HTTP/1.1, at either end. For one thread. */
public final class Http1Socket implements Closeable {

    private static final int BUFFER = 16 * 1024;
    private static final int PATIENCE_MILLIS = 10_000;
    private static final int MAX_HEAD = 64 * 1024;

    private final Socket socket;
    private final InputStream in;

    /** Response: its head, and its body as text. */
    public record Response(int status, Http1Head head, String body) {

        /** Returns the first value of the field; empty if there is none. */
        public String field(String name) {
            return head.field(name);
        }
    }

    /**
     * @param connected sends each write at once from now on
     * @param buffer bytes for incoming data; 0 for none, so that what follows a head is still in the socket
     */
    public Http1Socket(Socket connected, int buffer) throws IOException {
        socket = connected;
        socket.setTcpNoDelay(true);
        InputStream bytes = socket.getInputStream();
        in = buffer == 0 ? bytes : new BufferedInputStream(bytes, buffer);
    }

    /** Connects to a port of loopback; each read ends after ten seconds. */
    public static Http1Socket to(int port) throws IOException {
        return to(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
    }

    /** @param patienceMillis how long the connection, and each read, may take */
    public static Http1Socket to(InetSocketAddress server, int patienceMillis) throws IOException {
        return to(server, patienceMillis, BUFFER);
    }

    /** @param buffer as for the constructor */
    public static Http1Socket to(InetSocketAddress server, int patienceMillis, int buffer) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setSoTimeout(patienceMillis);
            socket.connect(server, patienceMillis);
            return new Http1Socket(socket, buffer);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Connects from a local address to a port of loopback; each read ends after ten seconds. */
    public static Http1Socket to(int port, InetAddress from, int buffer) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port, from, 0);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return new Http1Socket(socket, buffer);
    }

    /**
     * Returns a GET request.
     *
     * @param fields besides Host, each with its line end
     */
    public static byte[] get(String path, String fields) {
        return bytes("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n");
    }

    public static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    /** Sends messages, or parts of them, in one write. */
    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Reads the next head; null if the peer has closed the connection. */
    public @Nullable Http1Head head() throws IOException {
        StringBuilder head = new StringBuilder(512);
        while (!ended(head)) {
            int b = in.read();
            if (b < 0 && head.length() == 0) {
                return null;
            }
            if (b < 0 || head.length() == MAX_HEAD) {
                throw new EOFException(
                        "head: " + head.length() + " bytes without an end of the head (expected: at most " + MAX_HEAD
                                + " bytes, the last of them an empty line)");
            }
            head.append((char) b);
        }
        return new Http1Head(head.toString());
    }

    private static boolean ended(StringBuilder head) {
        int length = Math.toIntExact(head.length());
        return length > 3
                && head.charAt(length - 1) == '\n'
                && head.charAt(length - 2) == '\r'
                && head.charAt(length - 3) == '\n';
    }

    /** Reads the head of a response. */
    public Http1Head responseHead() throws IOException {
        Http1Head head = head();
        if (head == null) {
            throw new EOFException("connection: closed by the server (expected: a response)");
        }
        return head;
    }

    /** Skips the body after the head. */
    public void skipBody(Http1Head head) throws IOException {
        if (!head.chunked()) {
            in.skipNBytes(head.length());
            return;
        }
        for (long size = chunk(); size > 0; size = chunk()) {
            in.skipNBytes(size);
            line();
        }
        while (!line().isEmpty()) {
            // a trailer
        }
    }

    private long chunk() throws IOException {
        return Long.parseLong(line().split(";", 2)[0].strip(), 16);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0 || line.length() == MAX_HEAD) {
                throw new EOFException(
                        "chunk: " + line.length() + " bytes without an end of the line (expected: a line)");
            }
            line.append((char) b);
        }
        return line.toString().strip();
    }

    /** Sends a request, skips the body of its response and returns the head. */
    public Http1Head exchange(byte[] request) throws IOException {
        send(request);
        Http1Head head = responseHead();
        skipBody(head);
        return head;
    }

    /** Sends a request and returns its response. */
    public Response ask(byte[] request) throws IOException {
        send(request);
        return receive();
    }

    /** Reads the next response, whose body has the length of its Content-Length field. */
    public Response receive() throws IOException {
        Http1Head head = responseHead();
        int length = Math.toIntExact(head.length());
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("body: " + body.length + " bytes (expected: " + length + ")");
        }
        return new Response(head.status(), head, new String(body, UTF_8));
    }

    /** Returns what follows the messages that were read. */
    public InputStream input() {
        return in;
    }

    public Socket socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
