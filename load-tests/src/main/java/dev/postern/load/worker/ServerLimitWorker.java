package dev.postern.load.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Server limit worker: sends adds that were written before the clock starts, two chunks ahead of their responses, and
 * only counts the bytes of the responses. No client can be faster, so the result is the limit of the server. Argument:
 * memcached's port. A question is a number of keys, its response their {@link Cost}.
 */
public final class ServerLimitWorker {
    private static final int STORED = "STORED\r\n".length();
    private static final int CHUNK = Outstanding.AT_ONCE / 2;

    private final OutputStream out;
    private final InputStream in;

    private ServerLimitWorker(Socket socket) throws IOException {
        socket.setTcpNoDelay(true);
        out = socket.getOutputStream();
        in = socket.getInputStream();
    }

    public static void main(String... arguments) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]))) {
            ServerLimitWorker worker = new ServerLimitWorker(socket);
            Worker.serve(question -> worker.add(Integer.parseInt(question)).line());
        }
    }

    private Cost add(int count) {
        byte[][] chunks = new byte[count / CHUNK][];
        for (int i = 0; i < chunks.length; i++) {
            chunks[i] = chunk();
        }
        return Cost.of(() -> {
            try {
                out.write(chunks[0]);
                for (int i = 1; i <= chunks.length; i++) {
                    if (i < chunks.length) {
                        out.write(chunks[i]);
                    }
                    if (in.readNBytes(CHUNK * STORED).length < CHUNK * STORED) {
                        throw new IOException("closed by memcached");
                    }
                }
                return (long) chunks.length * CHUNK;
            } catch (IOException e) {
                throw new IllegalStateException("memcached does not respond", e);
            }
        });
    }

    /** Returns adds with keys and marks as long as those of a ledger. */
    private static byte[] chunk() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < CHUNK; i++) {
            text.append("add bench:1:%022x 0 602 16\r\n0123456789abcdef\r\n"
                    .formatted(ThreadLocalRandom.current().nextLong()));
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
