package dev.postern.load.worker;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.postern.app.socket.Http1Socket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Pipelined worker: numbered GETs over one new HTTP/1.1 connection, a fixed number of them on their way at once. A question is
 * {@code PORT PATH AT_ONCE REQUESTS [FILE]} with a path such as {@code /t/}, which the number follows and the origin sends back, and a
 * file with a token in each line, of which each is used once at a port; the response is {@link Pipelined}.
 */
public final class PipelinedWorker implements Worker.Task {
    private static final int BUFFER = 16_384;
    private static final int DIGITS = 3;

    private final Map<String, Iterator<String>> tokens = new HashMap<>();

    PipelinedWorker(String... none) {}

    @Override
    public Pipelined response(String... words) throws IOException {
        try (Http1Socket connection =
                Http1Socket.to(Integer.parseInt(words[0]), InetAddress.getLoopbackAddress(), BUFFER)) {
            Iterator<String> left = words.length > 4 ? tokens(words[0], words[4]) : null;
            return new Exchanges(connection, words[1], left)
                    .run(Integer.parseInt(words[2]), Integer.parseInt(words[3]));
        }
    }

    private Iterator<String> tokens(String port, String file) throws IOException {
        Iterator<String> left = tokens.get(port);
        if (left == null) {
            left = Files.readAllLines(Path.of(file)).iterator();
            tokens.put(port, left);
        }
        return left;
    }

    /** Requests and responses of one connection. */
    static final class Exchanges {
        private final Sequence sequence = new Sequence();
        private final Histogram times = new Histogram(DIGITS);
        private final Deque<Long> sent = new ArrayDeque<>();
        private final Http1Socket connection;
        private final String path;
        private final @Nullable Iterator<String> tokens;

        Exchanges(Http1Socket connection, String path, @Nullable Iterator<String> tokens) {
            this.connection = connection;
            this.path = path;
            this.tokens = tokens;
        }

        Pipelined run(int atOnce, int requests) throws IOException {
            long start = System.nanoTime();
            send(Math.min(atOnce, requests));
            int unsent = requests - sent.size();
            try {
                while (!sent.isEmpty()) {
                    sequence.arrived(Flow.numberIn(connection.receive(), path));
                    times.recordValue(System.nanoTime() - sent.remove());
                    if (unsent > 0) {
                        send(1);
                        unsent--;
                    }
                }
            } catch (SocketTimeoutException e) {
                sent.clear(); // the sequence has fewer arrived requests than sent ones
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            return new Pipelined(
                    new Throughput(sequence.arrived(), seconds, sequence.outOfOrder(), sequence.missing()),
                    times.getValueAtPercentile(50) / 1e3);
        }

        /** Sends requests in one write. */
        private void send(int count) throws IOException {
            StringBuilder requests = new StringBuilder();
            for (int i = 0; i < count; i++) {
                String field = tokens == null ? "" : "Authorization: PrivateToken token=\"" + tokens.next() + "\"\r\n";
                requests.append("GET ")
                        .append(path)
                        .append(sequence.next())
                        .append(" HTTP/1.1\r\nHost: localhost\r\n")
                        .append(field)
                        .append("\r\n");
                sent.add(System.nanoTime());
            }
            connection.send(requests.toString().getBytes(US_ASCII));
        }
    }
}
