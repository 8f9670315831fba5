package dev.postern.load.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;

/**
 * Pipelined GETs, sent in one write on one connection; the body of each response is the path of its request.
 *
 * @param count number of requests
 */
record PipelinedGets(int count) {

    private static final int PATIENCE_MILLIS = 60_000;

    /**
     * Result of the requests.
     *
     * @param seconds until the last byte of the last response
     * @param inOrder whether the responses came in the order of the requests
     */
    record Result(double seconds, boolean inOrder) {}

    Result send(int port) throws IOException {
        StringBuilder requests = new StringBuilder();
        for (int i = 0; i < count; i++) {
            requests.append("GET /").append(i).append(" HTTP/1.1\r\nHost: site.example\r\n\r\n");
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            long start = System.nanoTime();
            socket.getOutputStream().write(requests.toString().getBytes(US_ASCII));
            boolean inOrder = true;
            for (int i = 0; i < count; i++) {
                inOrder &= body(in).equals("/" + i);
            }
            return new Result((System.nanoTime() - start) / 1e9, inOrder);
        }
    }

    private static String body(InputStream in) throws IOException {
        int length = -1;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(line.indexOf(':') + 1).trim());
            }
        }
        if (length < 0) {
            throw new IOException("a response without Content-Length (expected: that of the origin)");
        }
        return new String(in.readNBytes(length), US_ASCII);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("ended after: " + line);
            }
            line.append((char) b);
        }
        return line.toString().trim();
    }
}
