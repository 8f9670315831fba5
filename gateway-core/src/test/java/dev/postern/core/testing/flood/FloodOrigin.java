package dev.postern.core.testing.flood;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Origin that sends small, large or no responses, by path, and stores no requests. */
public final class FloodOrigin implements AutoCloseable {

    /** Path without a response. */
    public static final String HOLD = "/hold";

    /** More than the capacity of all buffers between. */
    public static final String LARGE = "/large";

    private static final int PIECE = 64 * 1024;
    private static final int PIECES = 512;
    private static final byte[] SMALL = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".getBytes(US_ASCII);

    private final ServerSocket server;

    public FloodOrigin() {
        try {
            server = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    /** {@code host:port}. */
    public String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(null, task, "flood-origin", 128 * 1024);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                start(() -> serve(socket));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private static void serve(Socket accepted) {
        try (Socket socket = accepted) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (String line = head(in); !line.isEmpty(); line = head(in)) {
                response(line, socket.getOutputStream());
            }
        } catch (IOException e) {
            return; // closed by the gateway
        }
    }

    private static void response(String line, OutputStream out) throws IOException {
        if (line.contains(HOLD + " ")) {
            return;
        }
        if (line.contains(LARGE + " ")) {
            out.write(("HTTP/1.1 200 OK\r\nContent-Length: " + PIECE * PIECES + "\r\n\r\n").getBytes(US_ASCII));
            byte[] piece = new byte[PIECE];
            for (int i = 0; i < PIECES; i++) {
                out.write(piece);
            }
        } else {
            out.write(SMALL);
        }
    }

    /** Returns the first line of the next head; empty at the end. Bodies of floods never end. */
    private static String head(InputStream in) throws IOException {
        StringBuilder first = new StringBuilder();
        boolean firstLine = true;
        int length = 0;
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                if (length == 0) {
                    return first.toString();
                }
                firstLine = false;
                length = 0;
            } else if (b != '\r') {
                length++;
                if (firstLine) {
                    first.append((char) b);
                }
            }
        }
        return "";
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
