package dev.postern.load.worker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Split add worker, an example of a bad client: adds one key after the other, each command in three writes and with
 * Nagle's algorithm on. The second write waits for the acknowledgement of the first, which the server delays by 40 ms.
 * Argument: memcached's port. A question is a number of keys, its response their {@link Cost}.
 */
public final class SplitAddWorker {
    private static final int STORED = "STORED\r\n".length();

    private final OutputStream out;
    private final InputStream in;
    private final String prefix = "add split:" + ProcessHandle.current().pid() + ":";
    private long number;

    private SplitAddWorker(Socket socket) throws IOException {
        socket.setTcpNoDelay(false);
        out = socket.getOutputStream();
        in = socket.getInputStream();
    }

    public static void main(String... arguments) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]))) {
            SplitAddWorker worker = new SplitAddWorker(socket);
            Worker.serve(question -> worker.add(Integer.parseInt(question)).line());
        }
    }

    private Cost add(int count) {
        return Cost.of(() -> {
            try {
                for (int i = 0; i < count; i++) {
                    one();
                }
                return count;
            } catch (IOException e) {
                throw new IllegalStateException("memcached does not respond", e);
            }
        });
    }

    private void one() throws IOException {
        write(prefix + number++);
        write(" 0 600 16\r\n");
        write("0123456789abcdef\r\n");
        if (in.readNBytes(STORED).length < STORED) {
            throw new IOException("closed by memcached");
        }
    }

    private void write(String piece) throws IOException {
        out.write(piece.getBytes(StandardCharsets.ISO_8859_1));
    }
}
