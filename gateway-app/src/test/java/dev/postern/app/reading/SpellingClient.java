package dev.postern.app.reading;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import java.util.Locale;

/** Client without a token that sends spellings over one connection while the gateway keeps it open. */
abstract class SpellingClient implements AutoCloseable {

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
        return new Plain(port);
    }

    static SpellingClient http2(int port) {
        return new Framed(port);
    }

    abstract Outcome ask(Spelling spelling);

    @Override
    public abstract void close();

    private static final class Plain extends SpellingClient {

        private RawClient client;

        private Plain(int port) {
            super(port);
            client = new RawClient(port);
        }

        @Override
        public String toString() {
            return "HTTP/1.1";
        }

        @Override
        Outcome ask(Spelling spelling) {
            RawClient.Response response = client.send(spelling.head()).read();
            if (response.field("Connection").toLowerCase(Locale.ROOT).contains("close")) {
                client.close();
                client = new RawClient(port);
            }
            boolean refused = response.status() == 400 && response.body().contains("\"request-malformed\"");
            return new Outcome(response.field(Backend.PROTECTED), refused);
        }

        @Override
        public void close() {
            client.close();
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
        Outcome ask(Spelling spelling) {
            if (stream > 2 * STREAMS) {
                client.close();
                client = FrameClient.connect(port);
                stream = 1;
            }
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
            FrameClient.Response response = client.response(stream);
            stream += 2;
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
}
