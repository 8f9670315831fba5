package dev.postern.load.worker;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;

/** One kept-alive connection: a request is one write, its answer is read to its end. Enough of HTTP for answers with a length. */
final class HttpConnection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    HttpConnection(int port) throws IOException {
        this(port, InetAddress.getLoopbackAddress());
    }

    /** @param from the address of this end */
    HttpConnection(int port, InetAddress from) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port, from, 0);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        in = new BufferedInputStream(socket.getInputStream(), 16_384);
    }

    /** Sends and returns the status of the answer, whose body is discarded. */
    int exchange(byte[] request) throws IOException {
        return exchange(request, field -> {});
    }

    /** The same, and shows each field of the answer's head. */
    int exchange(byte[] request, Consumer<String> fields) throws IOException {
        socket.getOutputStream().write(request);
        int status = Integer.parseInt(line().substring(9, 12));
        int length = 0;
        for (String field = line(); !field.isEmpty(); field = line()) {
            fields.accept(field);
            if (field.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length =
                        Integer.parseInt(field.substring(field.indexOf(':') + 1).trim());
            }
        }
        in.skipNBytes(length);
        return status;
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

    static byte[] get(String path, String fields) {
        return ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
