package dev.postern.load.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Spread worker: sends requests at one rate over few connections or over many. Argument: port. A question is
 * {@code RATE CALLS CONNECTIONS}, its response {@link Latencies}.
 *
 * <p>The number of threads is the same for few and for many connections, each using its share of them in turn, so that
 * only the proxy's work differs.
 */
public final class SpreadWorker {
    private static final int THREADS = 10;
    private static final byte[] REQUEST = HttpConnection.get("/", "");

    private final int port;

    private SpreadWorker(int port) {
        this.port = port;
    }

    public static void main(String... arguments) throws IOException {
        SpreadWorker worker = new SpreadWorker(Integer.parseInt(arguments[0]));
        Worker.serve(worker::response);
    }

    private String response(String question) {
        String[] words = question.split(" ");
        try (HeldConnections connections = new HeldConnections(port)) {
            connections.grow(Integer.parseInt(words[2]));
            List<HttpConnection> all = connections.all();
            List<ByTurns> callers = IntStream.range(0, Math.min(THREADS, all.size()))
                    .mapToObj(thread -> new ByTurns(share(all, thread)))
                    .toList();
            return new OpenLoad(Double.parseDouble(words[0]), Integer.parseInt(words[1]))
                    .run(callers)
                    .line();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<HttpConnection> share(List<HttpConnection> all, int thread) {
        return IntStream.range(0, all.size())
                .filter(number -> number % THREADS == thread)
                .mapToObj(all::get)
                .toList();
    }

    /** Caller that uses a thread's share of the connections in turn. */
    private static final class ByTurns implements OpenLoad.Caller {
        private final List<HttpConnection> connections;
        private int next;

        ByTurns(List<HttpConnection> connections) {
            this.connections = connections;
        }

        @Override
        public boolean call() throws IOException {
            HttpConnection connection = connections.get(next);
            next = (next + 1) % connections.size();
            return connection.exchange(REQUEST) == 200;
        }
    }
}
