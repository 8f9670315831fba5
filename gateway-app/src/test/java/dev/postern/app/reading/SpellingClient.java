package dev.postern.app.reading;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** Client without a token that sends spellings, several at a time, over connections that the gateway keeps open. */
abstract class SpellingClient implements AutoCloseable {

    /** Maximum number of spellings that are sent at a time. */
    static final int BATCH = 20;

    /**
     * Result of a request.
     *
     * @param mark of the protected resource that was served; empty for none
     * @param refused whether the gateway reported the request as malformed
     */
    record Outcome(String mark, boolean refused) {}

    final int port;

    private SpellingClient(int port) {
        this.port = port;
    }

    static SpellingClient http1(int port) {
        return new Plain(port, false);
    }

    /**
     * Returns a client that sends a request once more if its connection ends without a response, as browsers do: so HAProxy says that the server
     * closed a connection while it was reused.
     */
    static SpellingClient retrying(int port) {
        return new Plain(port, true);
    }

    static SpellingClient http2(int port) {
        return new Framed(port);
    }

    /**
     * Returns a client of HTTP/2 that sends one request after the other: a proxy may end a connection for one of them, which counts as refused.
     *
     * @param scheme of the connections
     */
    static SpellingClient http2(int port, Supplier<FrameClient> connections, String scheme) {
        return new Single(port, connections, scheme);
    }

    /** Sends a batch of spellings, and returns the outcome of each. */
    abstract List<Outcome> ask(List<Spelling> batch);

    @Override
    public abstract void close();

    private static final class Plain extends SpellingClient {

        /** One for each request of a batch. */
        private final RawClient[] clients = new RawClient[BATCH];

        private final boolean retries;

        private Plain(int port, boolean retries) {
            super(port);
            this.retries = retries;
            Arrays.setAll(clients, i -> new RawClient(port));
        }

        @Override
        public String toString() {
            return "HTTP/1.1";
        }

        @Override
        List<Outcome> ask(List<Spelling> batch) {
            for (int i = 0; i < batch.size(); i++) {
                clients[i].send(batch.get(i).head());
            }
            List<Outcome> outcomes = new ArrayList<>();
            for (int i = 0; i < batch.size(); i++) {
                RawClient.Response response = read(i, batch.get(i));
                if (response.field("Connection").toLowerCase(Locale.ROOT).contains("close")) {
                    clients[i].close();
                    clients[i] = new RawClient(port);
                }
                boolean refused = response.status() == 400 && response.body().contains("\"request-malformed\"");
                outcomes.add(new Outcome(response.field(Backend.PROTECTED), refused));
            }
            return outcomes;
        }

        private RawClient.Response read(int index, Spelling spelling) {
            try {
                return clients[index].read();
            } catch (IllegalStateException ended) {
                if (!retries) {
                    throw ended;
                }
                clients[index].close();
                clients[index] = new RawClient(port);
                return clients[index].send(spelling.head()).read();
            }
        }

        @Override
        public void close() {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    private static final class Framed extends SpellingClient {

        /** Few enough that the gateway does not count too many malformed requests. */
        private static final int STREAMS = 40;

        private FrameClient client;
        private int stream = 1;

        private Framed(int port) {
            super(port);
            client = FrameClient.connect(port);
        }

        @Override
        public String toString() {
            return "HTTP/2";
        }

        @Override
        List<Outcome> ask(List<Spelling> batch) {
            if (stream > 2 * STREAMS) {
                client.close();
                client = FrameClient.connect(port);
                stream = 1;
            }
            int first = stream;
            for (Spelling spelling : batch) {
                client.headers(
                        stream,
                        true,
                        ":method",
                        "GET",
                        ":scheme",
                        "http",
                        ":authority",
                        spelling.host(),
                        ":path",
                        spelling.path());
                stream += 2;
            }
            List<Outcome> outcomes = new ArrayList<>();
            for (int id = first; id < stream; id += 2) {
                outcomes.add(outcome(client.response(id)));
            }
            return outcomes;
        }

        private static Outcome outcome(FrameClient.Response response) {
            boolean refused = response.status().equals("400") && response.body().contains("\"request-malformed\"");
            return new Outcome(
                    response.field(Backend.PROTECTED.toLowerCase(Locale.ROOT)),
                    refused || response.reset().equals("PROTOCOL_ERROR"));
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private static final class Single extends SpellingClient {

        private final Supplier<FrameClient> connections;
        private final String scheme;
        private FrameClient client;
        private int stream = 1;

        private Single(int port, Supplier<FrameClient> connections, String scheme) {
            super(port);
            this.connections = connections;
            this.scheme = scheme;
            client = connections.get().greet();
        }

        @Override
        public String toString() {
            return "HTTP/2";
        }

        @Override
        List<Outcome> ask(List<Spelling> batch) {
            return batch.stream().map(this::ask).toList();
        }

        private Outcome ask(Spelling spelling) {
            String[] fields = {
                ":method", "GET", ":scheme", scheme, ":authority", spelling.host(), ":path", spelling.path()
            };
            String outcome = client.headers(stream, true, fields).outcome(stream);
            String mark = client.soFar(stream).field(Backend.PROTECTED.toLowerCase(Locale.ROOT));
            stream += 2;
            if (client.dismissed() || outcome.equals("CLOSED")) {
                client.close();
                client = connections.get().greet();
                stream = 1;
            }
            return new Outcome(mark, !outcome.equals("200"));
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
