package dev.postern.load.crowd;

import dev.postern.app.socket.Http1Socket.Response;
import java.time.Duration;
import java.util.List;

/**
 * Commuters send requests again and again, in turn to all gateways and with one cookie jar each. A commuter that has to
 * wait after its admission starts a new session. So does every third commuter after a few requests; its old pass then
 * ends by silence. A waiting commuter polls far more often than the response allows.
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
     * @param pass maximum lifetime of a pass
     * @param idle the silence that ends it
     */
    public Commuters(List<Integer> ports, String crowd, Duration pass, Duration idle) {
        this.ports = List.copyOf(ports);
        this.crowd = crowd;
        this.outages = new Outages(pass, idle);
    }

    /** Sends the one request that passes an empty room at the base rate, so that all commuters need a pass. */
    public void first() {
        try (Line line = new Line(ports.get(0))) {
            Response response = new Visitor(crowd + "-first").get(line, "/" + crowd + "/", "");
            if (response.status() != 200) {
                throw new IllegalStateException("first visit: " + response + " (expected: status 200)");
            }
        }
    }

    /** Runs the given number of commuters until {@link #stop}. */
    public void run(int size) {
        Crowd.run(size, number -> new Commuter(number)::run);
    }

    public void stop() {
        stopped = true;
    }

    /**
     * Waits until a session that stays is admitted, so that a fault meets a pass with most of its lifetime left:
     * without this, all passes may have begun together and end together.
     *
     * @param atMost maximum time to wait
     */
    public void awaitNewcomer(Duration atMost) throws InterruptedException {
        long from = Clock.micros();
        long end = from + atMost.toNanos() / 1000;
        while (lastCame < from && Clock.micros() < end) {
            Crowd.pause(BETWEEN_VISITS);
        }
        Crowd.pause(SETTLED);
    }

    public Tally tally() {
        return tally;
    }

    /** Notes that Redis may be unreachable from now on. */
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
            } else if (firstSent > 0
                    && !response.field("postern-queue-position").isEmpty()) {
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
