package dev.postern.load.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Admitted worker: sessions with a cookie each that a waiting room of the gateway admits, and that continue to send
 * requests. Arguments: the gateway's port, the number of sessions. The response to {@code admit} comes when all
 * sessions are admitted, the response to {@code RATE CALLS} is the {@link Latencies} of that many requests of all
 * sessions together.
 */
public final class AdmittedWorker {
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final long PAUSE_NANOS = 20_000_000;

    private final List<Session> sessions = new ArrayList<>();
    private final int port;

    private AdmittedWorker(int port, int count) throws IOException {
        this.port = port;
        for (int i = 0; i < count; i++) {
            sessions.add(new Session(new HttpConnection(port)));
        }
    }

    public static void main(String... arguments) throws IOException {
        AdmittedWorker worker = new AdmittedWorker(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]));
        Worker.serve(question -> question.equals("admit") ? worker.admit() : worker.ask(question.split(" ")));
    }

    private String admit() {
        try (HttpConnection newcomer = new HttpConnection(port)) {
            // Uses up the base rate, so that all later sessions need a pass.
            new Session(newcomer).call();
            for (Session session : sessions) {
                session.enter();
            }
            return sessions.size() + " admitted";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String ask(String... words) {
        OpenLoad load = new OpenLoad(Double.parseDouble(words[0]), Integer.parseInt(words[1]));
        return load.run(sessions).line();
    }

    private static final class Session implements OpenLoad.Caller {
        private final HttpConnection connection;
        private String cookie = "";

        Session(HttpConnection connection) {
            this.connection = connection;
        }

        /** Enters the room; the first session may have to wait until the gateway has sent its state to a new Redis. */
        void enter() throws IOException {
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (!call()) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("session: still waits (expected: admitted to a free slot)");
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }

        @Override
        public boolean call() throws IOException {
            byte[] request = HttpConnection.get("/", "Accept: text/html\r\n" + cookie);
            HttpConnection.Response response = connection.ask(request);
            String given = response.fields().get("set-cookie");
            if (given != null) {
                cookie = "Cookie: " + given.split(";", 2)[0] + "\r\n";
            }
            return response.status() == 200;
        }
    }
}
