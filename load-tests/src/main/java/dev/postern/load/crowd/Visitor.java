package dev.postern.load.crowd;

import dev.postern.app.socket.Http1Socket.Response;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Visitor with a cookie jar and with a name that only the origin reads. Thread-safe. */
final class Visitor {
    private static final String POLL = "Accept: application/json\r\nSec-Fetch-Mode: cors\r\n";

    private final String session;
    private final Map<String, String> cookies = new ConcurrentHashMap<>();

    /** @param session name sent to the origin, for its counters; the gateway uses its own cookie */
    Visitor(String session) {
        this.session = session;
    }

    /** Sends a request over this line and keeps the cookies of the response. */
    Response get(Line line, String path, String more) {
        StringBuilder fields = new StringBuilder(512)
                .append("User-Agent: postern-load-tests\r\n")
                .append(Origin.SESSION + ": ")
                .append(session)
                .append("\r\n" + Origin.SENT + ": ")
                .append(Clock.micros())
                .append("\r\n")
                .append(more);
        cookies.forEach((name, value) ->
                fields.append("Cookie: ").append(name).append('=').append(value).append("\r\n"));
        Response response = line.get(path, fields.toString());
        for (String cookie : response.head().values("set-cookie")) {
            String pair = cookie.split(";", 2)[0];
            int equals = pair.indexOf('=');
            cookies.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return response;
    }

    /**
     * Polls the place in a waiting room as the script of the waiting page does, until the session does not wait any
     * more.
     *
     * @param end time of {@link System#nanoTime} at which the visitor gives up
     */
    void await(Line line, String room, long end) throws InterruptedException {
        while (System.nanoTime() < end) {
            Response place = get(line, "/.postern/room/" + room, POLL);
            if (!place.body().contains("\"waiting\"")) {
                return;
            }
            Crowd.pause(Duration.ofMillis(patienceMillis(place)));
        }
    }

    /**
     * Returns the milliseconds that a response demands before the next try; a second if the response has no such field.
     */
    static long patienceMillis(Response response) {
        String seconds = response.field("retry-after");
        return seconds.isEmpty() ? 1000 : 1000 * Long.parseLong(seconds);
    }

    @Override
    public String toString() {
        return session;
    }
}
