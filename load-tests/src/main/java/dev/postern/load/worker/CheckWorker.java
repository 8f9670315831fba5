package dev.postern.load.worker;

import dev.postern.load.crowd.Crowd;
import dev.postern.load.measure.SentSegments;
import dev.postern.load.measure.Unchecked;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Check worker: asks memcached for keys over a pool of blocking connections, each check over a connection of its own.
 * Argument: memcached's port. A question is {@code WAY CONNECTIONS RATE CALLS}, its response {@link Checks}.
 */
public final class CheckWorker implements Worker.Task {
    /** Checks over each new connection that do not count: at first, the kernel acknowledges without delay. */
    private static final int WARM_UP = 8;

    private final int port;

    CheckWorker(String... arguments) {
        port = Integer.parseInt(arguments[0]);
    }

    @Override
    public String response(String... words) throws IOException {
        Histogram versions = new ConcurrentHistogram(3);
        List<CheckConnection> pool = new ArrayList<>();
        try {
            int connections = Integer.parseInt(words[1]);
            for (int i = 0; i < connections; i++) {
                pool.add(new CheckConnection(port, WriteMode.valueOf(words[0]), i, versions));
            }
            warmUp(pool);
            versions.reset();
            long segments = SentSegments.to(port);
            OpenLoad load = OpenLoad.of(words[2], words[3]);
            int failed = load.run(pool).failed();
            segments = SentSegments.to(port) - segments;
            return new Checks(failed, segments, load.untilSend(), load.fromSend(), versions).line();
        } finally {
            pool.forEach(connection -> Unchecked.run(connection::close));
        }
    }

    /** Makes the same number of checks over each connection, all connections side by side. */
    private static void warmUp(List<CheckConnection> pool) {
        Crowd.run(
                pool.size(),
                number -> () -> Unchecked.run(() -> {
                    for (int i = 0; i < WARM_UP; i++) {
                        pool.get(number).call();
                    }
                }));
    }

    /** Blocking connection to memcached that asks for keys that were never stored, as the check of a fresh token does. */
    private static final class CheckConnection implements OpenLoad.Caller, Closeable {
        private static final byte[] VERSION = "version\r\n".getBytes(StandardCharsets.ISO_8859_1);
        /** Milliseconds. */
        private static final int MAX_WAIT = 10_000;
        /** Fills the key to the length of a ledger's key. */
        private static final String PREFIX = "check:%016d:%020d:";

        private final Socket socket;
        private final OutputStream out;
        private final InputStream in;
        private final WriteMode mode;
        private final Histogram versions;
        private final String prefix;
        private long number;

        /** @param versions takes the times of the commands that precede checks, in nanoseconds */
        CheckConnection(int port, WriteMode mode, int index, Histogram versions) throws IOException {
            this.mode = mode;
            this.versions = versions;
            prefix = PREFIX.formatted(ProcessHandle.current().pid(), index);
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(mode.noDelay());
            socket.setSoTimeout(MAX_WAIT);
            out = socket.getOutputStream();
            in = new BufferedInputStream(socket.getInputStream());
        }

        @Override
        public boolean call() throws IOException {
            if (mode.version()) {
                long start = System.nanoTime();
                out.write(VERSION);
                if (!line().startsWith("VERSION ")) {
                    return false;
                }
                versions.recordValue(System.nanoTime() - start);
            }
            for (byte[] bytes : mode.writes(prefix + number++)) {
                out.write(bytes);
            }
            return line().equals("END\r");
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder(16);
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0) {
                    throw new IOException("closed by memcached");
                }
                line.append((char) next);
            }
            return line.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
