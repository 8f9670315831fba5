package dev.postern.app.replica;

import dev.postern.core.testing.RawClient;
import dev.postern.core.testing.SessionSpans;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients of a room that arrive one after the other, each at one gateway: they poll until they are admitted, use their pass until shortly
 * before its hard end, and stop. Delays of a busy machine are excluded: a request that may have come after the end of the pass or after a
 * silence that ended it, and the position of a client that may have been considered absent. The gateway handled a request between the times
 * at which it was sent and at which its response was read.
 */
final class RoomClients {

    private static final long WAITING_MILLIS = 150;
    private static final long JITTER_MILLIS = 100;
    private static final long USING_MILLIS = 100;
    /** Time by which a client stops, or is excluded, early. */
    private static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    /** Time for a response: that of a stopped gateway comes when it runs again. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final long passNanos;
    private final long idleNanos;
    private final long absenceNanos;
    private final List<Client> all = new ArrayList<>();
    private final List<Client> served = new CopyOnWriteArrayList<>();
    private final SessionSpans sessions = new SessionSpans();

    RoomClients(long passMillis, long idleMillis, long absenceMillis) {
        passNanos = TimeUnit.MILLISECONDS.toNanos(passMillis) - MARGIN_NANOS;
        idleNanos = TimeUnit.MILLISECONDS.toNanos(idleMillis) - MARGIN_NANOS;
        absenceNanos = TimeUnit.MILLISECONDS.toNanos(absenceMillis) - MARGIN_NANOS;
    }

    /** Starts the next client, which sends its first request and then continues by itself. */
    void arrive(int port) {
        Client visitor = new Client(all.size(), port);
        all.add(visitor);
        visitor.ask();
        visitor.start();
    }

    /** Returns the numbers of clients in the order in which they were first admitted, without absent ones. */
    List<Integer> served() {
        return served.stream()
                .filter(visitor -> !visitor.absent)
                .map(visitor -> visitor.number)
                .toList();
    }

    /** Returns the number of clients that were admitted. */
    int admitted() {
        return served.size();
    }

    int absent() {
        return (int) all.stream().filter(visitor -> visitor.absent).count();
    }

    boolean allLeft() {
        return all.stream().noneMatch(Thread::isAlive);
    }

    /** Returns which part of the requests with a live pass was served. */
    double kept() {
        int kept = all.stream().mapToInt(visitor -> visitor.kept.get()).sum();
        int live =
                all.stream().mapToInt(visitor -> visitor.livePassRequests.get()).sum();
        return live == 0 ? 0 : (double) kept / live;
    }

    /**
     * Returns the maximum number of sessions that were admitted at any time, by the clients' clocks: a gateway that is stopped after it has
     * admitted a request forwards it when it runs again.
     */
    int peak() {
        return sessions.peak();
    }

    /** Returns the maximum number of clients that arrived after a client and were admitted before it. */
    int overtakers() {
        List<Integer> order = served();
        int worst = 0;
        for (int i = 0; i < order.size(); i++) {
            int number = order.get(i);
            worst = Math.max(worst, (int) order.subList(0, i).stream()
                    .filter(earlier -> earlier > number)
                    .count());
        }
        return worst;
    }

    /**
     * Returns Kendall's tau between the orders of arrival and admission: 1 for equal, -1 for reverse order. The first clients of a queue, as
     * many as there are slots, may be admitted in any order: such a pair is not out of order.
     */
    double tau(int slots) {
        List<Integer> order = served();
        int pairs = order.size() * (order.size() - 1) / 2;
        int swapped = 0;
        for (int i = 0; i < order.size(); i++) {
            for (int j = i + 1; j < order.size(); j++) {
                swapped += order.get(i) - order.get(j) >= slots ? 1 : 0;
            }
        }
        return 1 - 2.0 * swapped / pairs;
    }

    /** Stops all clients. */
    void disperse() throws InterruptedException {
        for (Client visitor : all) {
            visitor.interrupt();
            visitor.join();
        }
    }

    private final class Client extends Thread {

        private final int number;
        private final int port;
        private final Random random;
        private String cookie = "none=none";
        /** Time at which the request that was admitted was sent: the pass begins later. */
        private long passAsked;

        private long admitted;
        private long lastSent = System.nanoTime();
        private boolean idle;
        private volatile boolean absent;
        private final AtomicInteger livePassRequests = new AtomicInteger();
        private final AtomicInteger kept = new AtomicInteger();

        Client(int number, int port) {
            super("visitor-" + number);
            setDaemon(true);
            this.number = number;
            this.port = port;
            this.random = new Random(number);
        }

        @Override
        public void run() {
            try {
                while (!idle && (admitted == 0 || System.nanoTime() - admitted < passNanos)) {
                    long waiting = WAITING_MILLIS + (long) (random.nextDouble() * JITTER_MILLIS);
                    TimeUnit.MILLISECONDS.sleep(admitted == 0 ? waiting : USING_MILLIS);
                    ask();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void ask() {
            boolean live = admitted != 0;
            long before = lastSent;
            lastSent = System.nanoTime();
            RawClient.Response response = respond();
            long now = System.nanoTime();
            idle |= live && now - before > idleNanos;
            if (!live && now - before > absenceNanos) {
                absent = true;
            }
            boolean well = response.status() == 200;
            if (well) {
                sessions.note(getName(), lastSent, now);
            }
            if (live && !idle && now - passAsked < passNanos) {
                livePassRequests.incrementAndGet();
                kept.addAndGet(well ? 1 : 0);
            } else if (!live && well) {
                passAsked = lastSent;
                admitted = now;
                served.add(this);
            }
        }

        private RawClient.Response respond() {
            try (RawClient client = new RawClient(port)) {
                RawClient.Response response = client.patience(PATIENCE)
                        .send("GET /" + number + " HTTP/1.1\r\nHost: shop.example\r\nCookie: " + cookie + "\r\n\r\n")
                        .read();
                String given = response.field("Set-Cookie");
                cookie = given.isEmpty() ? cookie : given.split(";", 2)[0];
                return response;
            }
        }
    }
}
