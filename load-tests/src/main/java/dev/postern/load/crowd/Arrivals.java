package dev.postern.load.crowd;

import dev.postern.app.socket.Http1Socket.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/**
 * Arrivals of visitors in a known order: each sends its first request when the one before it has the response to its
 * own. A visitor waits as the responses demand, stays for some requests, and leaves without notice.
 */
public final class Arrivals {
    private final List<Integer> ports;
    private final String crowd;
    private final Size size;
    private final List<CountDownLatch> turns = new ArrayList<>();
    private final LongAdder arrived = new LongAdder();
    private final LongAdder left = new LongAdder();

    /**
     * @param ports of the gateways; each visitor sends its requests to them in turn
     * @param crowd first segment of the path, which is also the name of the waiting room
     */
    public Arrivals(List<Integer> ports, String crowd, Size size) {
        this.ports = List.copyOf(ports);
        this.crowd = crowd;
        this.size = size;
        for (int i = 0; i <= size.visitors(); i++) {
            turns.add(new CountDownLatch(1));
        }
    }

    /**
     * Size of the crowd.
     *
     * @param requests that each visitor gets before it leaves
     */
    public record Size(int visitors, int requests) {}

    /** Runs all visitors; one that was not admitted at the end of the patience gives up. */
    public void run(Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        turns.get(0).countDown();
        Crowd.run(size.visitors(), number -> () -> visit(number, end));
    }

    /** Returns the progress so far. */
    public String progress() {
        return crowd + ": " + arrived.sum() + " visitors arrived, " + left.sum() + " left again";
    }

    /** Returns the session that the origin knows the visitor of this number by, from 0 in the order of arrival. */
    private String session(int number) {
        return crowd + "-" + number;
    }

    /** Returns the number of the visitor with this session. */
    public static int number(String session) {
        return Integer.parseInt(session.substring(session.lastIndexOf('-') + 1));
    }

    private void visit(int number, long end) throws InterruptedException {
        Visitor visitor = new Visitor(session(number));
        try (Line line = new Line(ports, number)) {
            turns.get(number).await();
            Response first = visitor.get(line, path(), "");
            arrived.increment();
            turns.get(number + 1).countDown();
            enter(visitor, line, first, end);
            for (int i = 1; i < size.requests() && System.nanoTime() < end; i++) {
                visitor.get(line, path(), "");
            }
            left.increment();
        } finally {
            turns.get(number + 1).countDown();
        }
    }

    private void enter(Visitor visitor, Line line, Response first, long end) throws InterruptedException {
        Response response = first;
        while (response.status() != 200 && System.nanoTime() < end) {
            Crowd.pause(Duration.ofMillis(Visitor.patienceMillis(response)));
            if (!response.field("postern-queue-position").isEmpty()) {
                visitor.await(line, crowd, end);
            }
            response = visitor.get(line, path(), "");
        }
    }

    private String path() {
        return "/" + crowd + "/";
    }
}
