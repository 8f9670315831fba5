package dev.postern.load.worker;

import dev.postern.app.socket.Http1Socket;
import dev.postern.load.measure.Unchecked;
import dev.postern.load.server.TrustEverybody;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Newcomer worker: clients of an open model that each connect when their first request is due, so that the latency
 * includes a server's work from the first byte on. A question is {@code PORT RATE CALLS CONNECTIONS}, with {@code tls}
 * behind it for connections over TLS; its response {@link Latencies}.
 */
public final class NewcomerWorker implements Worker.Task {
    private static final int BUFFER = 16_384;
    private static final int MAX_WAIT_MILLIS = 10_000;
    private static final byte[] REQUEST = Http1Socket.get("/", "");

    NewcomerWorker(String... none) {}

    @Override
    public Latencies response(String... words) {
        int port = Integer.parseInt(words[0]);
        boolean tls = words.length > 4;
        List<Newcomer> newcomers = Stream.generate(() -> new Newcomer(port, tls))
                .limit(Integer.parseInt(words[3]))
                .toList();
        Latencies seen = OpenLoad.of(words[1], words[2]).run(newcomers);
        newcomers.forEach(Newcomer::leave);
        return seen;
    }

    private static final class Newcomer implements OpenLoad.Caller {
        private final int port;
        private final boolean tls;
        private @Nullable Http1Socket connection;

        Newcomer(int port, boolean tls) {
            this.port = port;
            this.tls = tls;
        }

        @Override
        public boolean call() throws IOException {
            Http1Socket open = connection;
            if (open == null) {
                open = tls ? overTls() : Http1Socket.to(port);
                connection = open;
            }
            return open.exchange(REQUEST).status() == 200;
        }

        /** Opens a connection whose handshake takes place with the first request. */
        private Http1Socket overTls() throws IOException {
            Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
            plain.setSoTimeout(MAX_WAIT_MILLIS);
            return new Http1Socket(
                    TrustEverybody.context().getSocketFactory().createSocket(plain, "localhost", port, true), BUFFER);
        }

        void leave() {
            Http1Socket open = connection;
            if (open != null) {
                Unchecked.run(() -> open.close());
            }
        }
    }
}
