package dev.postern.load.crowd;

import dev.postern.app.socket.Http1Socket.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Tally of the responses to commuters, with a line about each unexpected response. Thread-safe. */
public final class Tally {
    private static final long SLOW_MICROS = 1_000_000;
    private static final int MAX_LINES = 1000;

    private final Map<Integer, Integer> statuses = new TreeMap<>();
    private final Map<Integer, int[]> owed = new TreeMap<>();
    private final List<String> complaints = new ArrayList<>();
    private long slowest;

    /**
     * One request and its response.
     *
     * @param session name of the session, and the gateway of the request
     * @param sent in microseconds since 1970
     * @param took microseconds
     * @param owing the outage in which the site itself owed the response, or -1
     */
    record Asked(String session, long sent, long took, Response response, int owing) {
        private boolean served() {
            return response.status() == 200;
        }

        private boolean wrong() {
            return !served() && (owing >= 0 || response.status() != 503) || took > SLOW_MICROS;
        }

        private String line() {
            String body = response.body().replaceAll("\\s+", " ");
            return "%d %s took %d us, outage %d: %d %s"
                    .formatted(
                            sent,
                            session,
                            took,
                            owing,
                            response.status(),
                            body.substring(0, Math.min(200, body.length())));
        }
    }

    synchronized void note(Asked request) {
        statuses.merge(request.response.status(), 1, Integer::sum);
        slowest = Math.max(slowest, request.took);
        if (request.owing >= 0) {
            int[] counts = owed.computeIfAbsent(request.owing, number -> new int[2]);
            counts[0]++;
            counts[1] += request.served() ? 1 : 0;
        }
        if (request.wrong() && complaints.size() < MAX_LINES) {
            complaints.add(request.line());
        }
    }

    /** Removes all entries after the warm-up. */
    public synchronized void clear() {
        statuses.clear();
        complaints.clear();
        slowest = 0;
    }

    /** Returns the number of responses by status; status 0 counts requests without a response. */
    public synchronized Map<Integer, Integer> statuses() {
        return new TreeMap<>(statuses);
    }

    public synchronized double slowestMillis() {
        return slowest / 1000.0;
    }

    /** Returns the number of requests that the site owed a response in the given outage. */
    public synchronized int owed(int outage) {
        return owed.getOrDefault(outage, new int[2])[0];
    }

    /** Returns the number of owed responses that arrived in the given outage. */
    public synchronized int kept(int outage) {
        return owed.getOrDefault(outage, new int[2])[1];
    }

    public synchronized List<String> complaints() {
        return new ArrayList<>(complaints);
    }
}
