package dev.postern.app.replica;

import dev.postern.auth.testing.TokenMint;
import dev.postern.core.testing.RawClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Clients that visit without pause and without retries: each visit takes a challenge, redeems a new token, and offers the token of the visit
 * before once more. A connection serves some visits, or fewer if the gateway ends it by {@code Connection: close}.
 */
final class TokenVisits implements AutoCloseable {

    private static final TokenMint MINT = TokenMint.shared();
    private static final int VISITS_OF_CONNECTION = 8;
    private static final int MAX_LISTED = 20;

    private final int port;
    private final List<Thread> clients = new ArrayList<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder acceptedTwice = new LongAdder();
    private final LongAdder replayed = new LongAdder();
    private volatile boolean finished;

    TokenVisits(int port, int clients) {
        this.port = port;
        for (int i = 0; i < clients; i++) {
            Thread client = new Thread(this::visit, "visits-" + i);
            client.setDaemon(true);
            client.start();
            this.clients.add(client);
        }
    }

    private void visit() {
        String last = null;
        while (!finished) {
            try (Connection connection = new Connection(port)) {
                for (int i = 0; i < VISITS_OF_CONNECTION && !finished && connection.kept(); i++) {
                    last = visit(connection, last);
                }
            } catch (RuntimeException | AssertionError e) {
                fail(e.toString());
            }
        }
    }

    /** Returns the token that was redeemed, or the one before if the connection ended first. */
    private @Nullable String visit(Connection connection, @Nullable String last) {
        if (last != null) {
            replay(connection, last);
        }
        if (!connection.kept()) {
            return last;
        }
        RawClient.Response challenge = connection.ask("GET / HTTP/1.1\r\nHost: site.example\r\n\r\n");
        if (challenge.status() != 401) {
            fail("without a token: " + challenge.head());
            return last;
        }
        String token = MINT.response(challenge.field("WWW-Authenticate"));
        if (!connection.kept()) {
            return last;
        }
        RawClient.Response response = connection.ask(Replicas.redeeming(token));
        if (response.status() != 200) {
            fail("with a token: " + response.head());
            return last;
        }
        accepted.increment();
        return token;
    }

    private void replay(Connection connection, String token) {
        RawClient.Response response = connection.ask(Replicas.redeeming(token));
        replayed.increment();
        if (response.status() == 200) {
            acceptedTwice.increment();
        } else if (response.status() != 401) {
            fail("with a spent token: " + response.head());
        }
    }

    private void fail(String subject) {
        if (failures.size() < MAX_LISTED) {
            failures.add(subject);
        }
    }

    /** Connection that knows whether the gateway wants to go on. */
    private static final class Connection implements AutoCloseable {

        private final RawClient client;
        private boolean kept = true;

        Connection(int port) {
            client = new RawClient(port);
        }

        RawClient.Response ask(String request) {
            RawClient.Response response = client.send(request).read();
            kept = !response.field("Connection").equals("close");
            return response;
        }

        boolean kept() {
            return kept;
        }

        @Override
        public void close() {
            client.close();
        }
    }

    long accepted() {
        return accepted.sum();
    }

    long acceptedTwice() {
        return acceptedTwice.sum();
    }

    long replayed() {
        return replayed.sum();
    }

    /** Returns the first failures. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    @Override
    public void close() {
        finished = true;
        for (Thread client : clients) {
            try {
                client.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
