package dev.postern.load.crowd;

import dev.postern.app.socket.Http1Socket.Response;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Cookie clients of the first ancestor's experiment: all from one address, each with a cookie jar, one request that
 * isn't counted, and then a sequence of requests.
 */
public final class CookieClients {
    private final List<Integer> ports;
    private final String crowd;
    private final Size size;
    private final LongAdder sent = new LongAdder();
    private final LongAdder served = new LongAdder();

    /**
     * @param ports of the gateways; each client sends its requests to them in turn
     * @param crowd first segment of the path, which names the crowd to gateway and origin
     */
    public CookieClients(List<Integer> ports, String crowd, Size size) {
        this.ports = List.copyOf(ports);
        this.crowd = crowd;
        this.size = size;
    }

    /**
     * Size of the crowd.
     *
     * @param requests of each client
     */
    public record Size(int clients, int requests) {
        public int all() {
            return clients * requests;
        }
    }

    /** Manner in which a client reacts to a refusal. */
    public enum Manner {
        /** Sends the next request at once and drops the refused one. */
        IMPATIENT,
        /** Waits as long as the response demands and sends the request again. */
        POLITE
    }

    /**
     * Result of a run.
     *
     * @param sent requests, without the first of each client
     * @param served of these with status 200
     */
    public record Result(long sent, long served, Duration elapsed) {}

    /** @param atMost time after which the polite clients give up */
    public Result run(Manner manner, Duration atMost) {
        long start = System.nanoTime();
        long end = start + atMost.toNanos();
        Crowd.run(size.clients(), number -> () -> visit(number, manner, end));
        Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
        return new Result(sent.sum(), served.sum(), elapsed);
    }

    /** Returns the progress so far. */
    public String progress() {
        return crowd + ": " + served.sum() + " of " + sent.sum() + " responses are 200";
    }

    private void visit(int number, Manner manner, long end) throws InterruptedException {
        Visitor visitor = new Visitor(crowd + "-" + number);
        try (Line line = new Line(ports, number)) {
            visitor.get(line, "/" + crowd + "/first", Origin.UNCOUNTED + ": 1\r\n");
            for (int i = 0; i < size.requests(); i++) {
                Response response = ask(visitor, line);
                while (response.status() != 200 && manner == Manner.POLITE) {
                    long wait = Visitor.patienceMillis(response);
                    if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait) > end) {
                        return;
                    }
                    Crowd.pause(Duration.ofMillis(wait));
                    response = ask(visitor, line);
                }
                if (System.nanoTime() > end) {
                    return;
                }
            }
        }
    }

    private Response ask(Visitor visitor, Line line) {
        sent.increment();
        Response response = visitor.get(line, "/" + crowd + "/", "");
        if (response.status() == 200) {
            served.increment();
        }
        return response;
    }
}
