package dev.postern.app.reload;

import dev.postern.core.testing.FrameClient;
import dev.postern.core.testing.RawClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import org.awaitility.Awaitility;

/**
 * Clients that send requests without pause over persistent connections, without retries: every response except 200 is recorded as a failure.
 * The target is chosen before each request, as by a load balancer, and connections are closed on request: {@code Connection: close}, GOAWAY.
 */
public final class PersistentClients implements AutoCloseable {

    private static final int MAX_LISTED = 20;

    private final IntSupplier target;
    private final ExecutorService threads;
    private final List<Future<?>> all = new ArrayList<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final LongAdder responses = new LongAdder();
    private final LongAdder connections = new LongAdder();
    private volatile boolean finished;

    /**
     * @param target returns the current port
     * @param plain number of HTTP/1.1 clients
     * @param framed number of HTTP/2 clients
     */
    public PersistentClients(IntSupplier target, int plain, int framed) {
        this.target = target;
        this.threads = Executors.newFixedThreadPool(plain + framed);
        for (int i = 0; i < plain; i++) {
            boolean posts = i % 4 == 3;
            all.add(threads.submit(() -> visit(port -> new Plain(port, posts))));
        }
        for (int i = 0; i < framed; i++) {
            all.add(threads.submit(() -> visit(Framed::new)));
        }
    }

    /** Persistent connection. */
    private interface Kept extends AutoCloseable {

        /** Sends a request; returns the fault of the response, or an empty text. */
        String ask();

        /** Returns whether the gateway requested the close. */
        boolean dismissed();

        @Override
        void close();
    }

    /** Opens a connection. */
    private interface Opener {

        Kept open(int port);
    }

    private void visit(Opener opener) {
        while (!finished) {
            int port = target.getAsInt();
            try (Kept kept = opener.open(port)) {
                connections.increment();
                while (!finished && !kept.dismissed() && target.getAsInt() == port) {
                    String wrong = kept.ask();
                    if (!wrong.isEmpty()) {
                        fail(wrong);
                        break;
                    }
                    responses.increment();
                }
            } catch (RuntimeException | AssertionError e) {
                fail(opener.getClass().getSimpleName() + ": " + e);
            }
        }
    }

    private void fail(String subject) {
        if (failures.size() < MAX_LISTED) {
            failures.add(subject);
        }
    }

    /** HTTP/1.1 connection with keep-alive. */
    private static final class Plain implements Kept {

        private final RawClient client;
        private final String request;
        private boolean dismissed;

        Plain(int port, boolean posts) {
            client = new RawClient(port);
            request = posts
                    ? "POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 4\r\n\r\nbody"
                    : "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n";
        }

        @Override
        public String ask() {
            RawClient.Response response = client.send(request).read();
            dismissed = response.field("Connection").equals("close");
            return response.status() == 200 ? "" : response.status() + " " + response.body();
        }

        @Override
        public boolean dismissed() {
            return dismissed;
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** HTTP/2 connection by prior knowledge, with two concurrent streams. */
    private static final class Framed implements Kept {

        private final FrameClient client;
        private int stream = 1;

        Framed(int port) {
            client = FrameClient.connect(port);
        }

        @Override
        public String ask() {
            int one = stream;
            stream += 4;
            client.get(one, "/").get(one + 2, "/");
            String wrong = wrong(client.response(one));
            return wrong + wrong(client.response(one + 2));
        }

        private static String wrong(FrameClient.Response response) {
            return response.status().equals("200") ? "" : "h2 status " + response.status();
        }

        @Override
        public boolean dismissed() {
            return client.dismissed();
        }

        @Override
        public void close() {
            client.close();
        }
    }

    /** Waits until that many more responses arrived. */
    public PersistentClients awaitMore(long count) {
        long responsesBefore = responses.sum();
        Awaitility.await()
                .atMost(60, TimeUnit.SECONDS)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> responses.sum() >= responsesBefore + count || !failures.isEmpty());
        return this;
    }

    public long responses() {
        return responses.sum();
    }

    public long connections() {
        return connections.sum();
    }

    /** Returns the first failures. */
    public List<String> failures() {
        return List.copyOf(failures);
    }

    /** Stops all clients after their current request. */
    public void disperse() {
        finished = true;
        try {
            for (Future<?> one : all) {
                one.get(30, TimeUnit.SECONDS);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
    }

    @Override
    public void close() {
        disperse();
    }
}
