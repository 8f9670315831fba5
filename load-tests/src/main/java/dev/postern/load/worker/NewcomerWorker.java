package dev.postern.load.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Newcomer worker: clients of an open model that each connect when their first request is due, so that the latency
 * includes a server's work from the first byte on. A question is {@code PORT RATE CALLS CONNECTIONS}, with {@code tls}
 * behind it for connections over TLS; its response {@link Latencies}.
 */
public final class NewcomerWorker {
    private static final byte[] REQUEST = HttpConnection.get("/", "");

    private NewcomerWorker() {}

    public static void main(String... arguments) throws IOException {
        Worker.serve(NewcomerWorker::response);
    }

    private static String response(String question) {
        String[] words = question.split(" ");
        int port = Integer.parseInt(words[0]);
        boolean tls = words.length > 4;
        List<Newcomer> newcomers = Stream.generate(() -> new Newcomer(port, tls))
                .limit(Integer.parseInt(words[3]))
                .toList();
        Latencies seen = new OpenLoad(Double.parseDouble(words[1]), Integer.parseInt(words[2])).run(newcomers);
        newcomers.forEach(Newcomer::leave);
        return seen.line();
    }

    private static final class Newcomer implements OpenLoad.Caller {
        private final int port;
        private final boolean tls;
        private @Nullable HttpConnection connection;

        Newcomer(int port, boolean tls) {
            this.port = port;
            this.tls = tls;
        }

        @Override
        public boolean call() throws IOException {
            HttpConnection open = connection;
            if (open == null) {
                open = tls ? HttpConnection.overTls(port) : new HttpConnection(port);
                connection = open;
            }
            return open.exchange(REQUEST) == 200;
        }

        void leave() {
            HttpConnection open = connection;
            if (open != null) {
                try {
                    open.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
