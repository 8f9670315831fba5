package dev.postern.load.worker;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * HTTP connection that is kept alive: sends a request in one write and reads its response to the end. It supports
 * responses with a length only.
 */
public final class HttpConnection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    public HttpConnection(int port) throws IOException {
        this(port, InetAddress.getLoopbackAddress());
    }

    /** @param from the local address */
    HttpConnection(int port, InetAddress from) throws IOException {
        this(port, from, 16_384);
    }

    /** @param buffer bytes for incoming data, kept for the lifetime of the connection */
    HttpConnection(int port, InetAddress from, int buffer) throws IOException {
        this(new Socket(InetAddress.getLoopbackAddress(), port, from, 0), buffer);
    }

    private HttpConnection(Socket connected, int buffer) throws IOException {
        socket = connected;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        in = new BufferedInputStream(socket.getInputStream(), buffer);
    }

    /** Opens a connection over TLS; the handshake takes place with the first request. */
    static HttpConnection overTls(int port) throws IOException {
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
        return new HttpConnection(
                TrustEverybody.context().getSocketFactory().createSocket(plain, "localhost", port, true), 16_384);
    }

    /**
     * Response to a request.
     *
     * @param fields by name in lower case; of several with one name the last
     */
    public record Response(int status, Map<String, String> fields, String body) {}

    /** Sends and returns the status of the response, whose body is discarded. */
    int exchange(byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        int status = Integer.parseInt(line().substring(9, 12));
        int length = 0;
        for (String field = line(); !field.isEmpty(); field = line()) {
            if (field.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length =
                        Integer.parseInt(field.substring(field.indexOf(':') + 1).trim());
            }
        }
        in.skipNBytes(length);
        return status;
    }

    /** Sends and returns the response. */
    public Response ask(byte[] request) throws IOException {
        send(request);
        return receive();
    }

    /** Sends requests, of which each has a response to be received. */
    void send(byte[] requests) throws IOException {
        socket.getOutputStream().write(requests);
    }

    /** Returns the next response. */
    Response receive() throws IOException {
        int status = Integer.parseInt(line().substring(9, 12));
        Map<String, String> fields = new HashMap<>();
        for (String field = line(); !field.isEmpty(); field = line()) {
            int colon = field.indexOf(':');
            String name = field.substring(0, colon).toLowerCase(Locale.ROOT);
            fields.put(name, field.substring(colon + 1).trim());
        }
        int length = Integer.parseInt(fields.getOrDefault("content-length", "0"));
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new IOException("closed by the server");
        }
        return new Response(status, fields, new String(body, StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder(64);
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("closed by the server");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    public static byte[] get(String path, String fields) {
        return ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
