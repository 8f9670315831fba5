package dev.postern.load.worker;

import dev.postern.app.socket.Http1Socket;
import dev.postern.app.socket.Http1Socket.Response;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Admitted worker: sessions with a cookie each that a waiting room of the gateway admits, and that continue to send
 * requests. Arguments: the gateway's port, the number of sessions, and optionally the name of the room, where as many
 * other sessions then wait, so that every second call is the poll of one of these. The response to {@code admit} comes
 * when all sessions are admitted or wait, the response to {@code RATE CALLS} is the {@link Latencies} of that many calls
 * of all sessions together.
 */
public final class AdmittedWorker implements Worker.Task {
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final long PAUSE_NANOS = 20_000_000;

    private final List<Session> sessions = new ArrayList<>();
    private final List<Session> waiting = new ArrayList<>();
    private final int port;
    private final String poll;

    AdmittedWorker(String... arguments) throws IOException {
        port = Integer.parseInt(arguments[0]);
        int count = Integer.parseInt(arguments[1]);
        poll = arguments.length > 2 ? "/.postern/room/" + arguments[2] : "";
        for (int i = 0; i < count; i++) {
            sessions.add(new Session(Http1Socket.to(port)));
            if (!poll.isEmpty()) {
                waiting.add(new Session(Http1Socket.to(port)));
            }
        }
    }

    @Override
    public Object response(String... words) throws IOException {
        return words[0].equals("admit")
                ? admit()
                : OpenLoad.of(words[0], words[1]).run(callers());
    }

    private String admit() throws IOException {
        try (Http1Socket newcomer = Http1Socket.to(port)) {
            // Uses up the base rate, so that all later sessions need a pass.
            new Session(newcomer).call();
            for (Session session : sessions) {
                session.enter();
            }
            for (Session session : waiting) {
                session.join();
            }
            return sessions.size() + " admitted, " + waiting.size() + " wait";
        }
    }

    private List<? extends OpenLoad.Caller> callers() {
        return waiting.isEmpty()
                ? sessions
                : IntStream.range(0, sessions.size())
                        .mapToObj(i -> new Pair(sessions.get(i), waiting.get(i), poll))
                        .toList();
    }

    /**
     * Pair of an admitted and a waiting session that call in turn, so that the share of polls is always one half,
     * whichever of the two the gateway serves faster.
     */
    private static final class Pair implements OpenLoad.Caller {
        private final Session admitted;
        private final Session waiting;
        private final String poll;
        private boolean polls;

        Pair(Session admitted, Session waiting, String poll) {
            this.admitted = admitted;
            this.waiting = waiting;
            this.poll = poll;
        }

        @Override
        public boolean call() throws IOException {
            polls = !polls;
            return polls ? waiting.poll(poll) : admitted.call();
        }
    }

    private static final class Session implements OpenLoad.Caller {
        private final Http1Socket connection;
        private String cookie = "";

        Session(Http1Socket connection) {
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

        /** Joins the queue: visits until the session has a place, because a new gateway may refuse the first visits. */
        void join() throws IOException {
            long deadline = System.nanoTime() + PATIENCE_NANOS;
            while (cookie.isEmpty()) {
                if (call()) {
                    throw new IllegalStateException("session: admitted (expected: waits, because all slots are taken)");
                }
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("session: has no place (expected: waits)");
                }
            }
        }

        /** Polls the place and returns whether the session still waits. */
        boolean poll(String path) throws IOException {
            Response place = ask(path, "Accept: application/json\r\nSec-Fetch-Mode: cors\r\n");
            return place.status() == 200 && place.body().contains("\"waiting\"");
        }

        @Override
        public boolean call() throws IOException {
            return ask("/", "Accept: text/html\r\n").status() == 200;
        }

        private Response ask(String path, String fields) throws IOException {
            Response response = connection.ask(Http1Socket.get(path, fields + cookie));
            for (String given : response.head().values("set-cookie")) {
                cookie = "Cookie: " + given.split(";", 2)[0] + "\r\n";
            }
            return response;
        }
    }
}
