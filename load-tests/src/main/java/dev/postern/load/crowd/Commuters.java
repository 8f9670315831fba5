package dev.postern.load.crowd;

import dev.postern.load.origin.Clock;
import dev.postern.load.worker.HttpConnection.Response;
import java.time.Duration;
import java.util.List;

/**
 * People who come again and again, over all gateways by turns with one cookie jar. Who is told to wait after having been let in is somebody
 * else from then on; so is every third person after a few requests, whose pass then ends by silence. Told to wait, they ask far more often than
 * they are told to.
 */
public final class Commuters {
    private static final Duration BETWEEN_VISITS = Duration.ofMillis(40);
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(120);
    private static final int SHORT_STAY = 20;
    private static final Duration SETTLED = Duration.ofMillis(400);

    private final List<Integer> ports;
    private final String crowd;
    private final Outages outages;
    private final Tally tally = new Tally();
    private volatile boolean stopped;
    private volatile long lastCame = Long.MIN_VALUE;

    /**
     * @param ports of the gateways
     * @param pass how long a pass lasts at most
     * @param idle the silence that ends it
     */
    public Commuters(List<Integer> ports, String crowd, Duration pass, Duration idle) {
        this.ports = List.copyOf(ports);
        this.crowd = crowd;
        this.outages = new Outages(pass, idle);
    }

    /** Takes the one request that passes a fresh room at the base rate, so that nobody else does. */
    public void first() {
        try (Line line = new Line(ports.get(0))) {
            Response response = new Visitor(crowd + "-first").get(line, "/" + crowd + "/", "");
            if (response.status() != 200) {
                throw new IllegalStateException("first visit: " + response + " (expected: status 200)");
            }
        }
    }

    /** Lets so many of them come until {@link #stop}. */
    public void run(int size) {
        Crowd.run(size, number -> new Commuter(number)::run);
    }

    public void stop() {
        stopped = true;
    }

    /**
     * Waits until somebody who stays was let in just now, so that a fault finds a pass with most of its time before it: all passes may have begun, and
     * end, together.
     *
     * @param most to wait
     */
    public void awaitNewcomer(Duration most) throws InterruptedException {
        long from = Clock.micros();
        long end = from + most.toNanos() / 1000;
        while (lastCame < from && Clock.micros() < end) {
            Crowd.pause(BETWEEN_VISITS);
        }
        Crowd.pause(SETTLED);
    }

    public Tally tally() {
        return tally;
    }

    /** From now on Redis may be away. */
    public void outage(int number) {
        outages.begin(number, Clock.micros());
    }

    private final class Commuter {
        private final List<Line> lines;
        private final int number;
        private int life;
        private int turn;
        private Visitor visitor;
        private long firstSent;
        private int served;

        Commuter(int number) {
            this.number = number;
            this.turn = number;
            this.lines = ports.stream().map(Line::new).toList();
            this.visitor = born();
        }

        void run() throws InterruptedException {
            try {
                while (!stopped) {
                    Crowd.pause(visit() ? BETWEEN_VISITS : BETWEEN_TRIES);
                }
            } finally {
                lines.forEach(Line::close);
            }
        }

        private boolean visit() {
            int gateway = turn++ % lines.size();
            long sent = Clock.micros();
            int owing = outages.owing(firstSent, sent);
            Response response = visitor.get(lines.get(gateway), "/" + crowd + "/", "");
            String subject = visitor + " at gateway " + gateway;
            tally.note(new Tally.Asked(subject, sent, Clock.micros() - sent, response, owing));
            if (response.status() == 200) {
                served(sent);
            } else if (firstSent > 0 && response.fields().containsKey("postern-queue-position")) {
                begin();
            }
            return response.status() == 200;
        }

        private void served(long sent) {
            boolean staying = number % 3 != 0;
            if (firstSent == 0) {
                firstSent = sent;
                if (staying) {
                    lastCame = sent;
                }
            }
            if (++served == SHORT_STAY && !staying) {
                begin();
            }
        }

        private void begin() {
            life++;
            firstSent = 0;
            served = 0;
            visitor = born();
        }

        private Visitor born() {
            return new Visitor(crowd + "-" + number + "-" + life);
        }
    }
}
