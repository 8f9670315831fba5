package dev.postern.app.replica;

import dev.postern.core.testing.RawClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * People who came to a room one after the other, each to one gateway: all poll until they are served, use their pass to shortly before its
 * hard end, and leave. What a busy machine makes silent is not owed anything: a request after a silence that may end a pass, and the place
 * of one that may have been taken for absent.
 */
final class Visitors {

    private static final long WAITING_MILLIS = 150;
    private static final long JITTER_MILLIS = 100;
    private static final long USING_MILLIS = 100;
    /** Of the pass, which begins before the first response arrives. */
    private static final long MARGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    private final long passNanos;
    private final long idleNanos;
    private final long absenceNanos;
    private final List<Visitor> all = new ArrayList<>();
    private final List<Visitor> served = new CopyOnWriteArrayList<>();

    Visitors(long passMillis, long idleMillis, long absenceMillis) {
        passNanos = TimeUnit.MILLISECONDS.toNanos(passMillis) - MARGIN_NANOS;
        idleNanos = TimeUnit.MILLISECONDS.toNanos(idleMillis) - MARGIN_NANOS;
        absenceNanos = TimeUnit.MILLISECONDS.toNanos(absenceMillis) - MARGIN_NANOS;
    }

    /** The next one asks for the first time, then goes on by itself. */
    void arrive(int port) {
        Visitor visitor = new Visitor(all.size(), port);
        all.add(visitor);
        visitor.ask();
        visitor.start();
    }

    /** By number, in the order in which they were served first; those that were absent left out. */
    List<Integer> served() {
        return served.stream()
                .filter(visitor -> !visitor.absent)
                .map(visitor -> visitor.number)
                .toList();
    }

    int absent() {
        return (int) all.stream().filter(visitor -> visitor.absent).count();
    }

    boolean allLeft() {
        return all.stream().noneMatch(Thread::isAlive);
    }

    /** Requests that were sent while the visitor's pass was live. */
    int owed() {
        return all.stream().mapToInt(visitor -> visitor.owed.get()).sum();
    }

    int kept() {
        return all.stream().mapToInt(visitor -> visitor.kept.get()).sum();
    }

    /** How many came after one and were served before, by the worst of them. */
    int overtakers() {
        List<Integer> order = served();
        int worst = 0;
        for (int i = 0; i < order.size(); i++) {
            int number = order.get(i);
            worst = Math.max(worst, (int) order.subList(0, i).stream()
                    .filter(before -> before > number)
                    .count());
        }
        return worst;
    }

    /** Kendall's tau between the order of coming and the order of being served: 1 for the same, -1 for the reverse. */
    double tau() {
        List<Integer> order = served();
        int pairs = order.size() * (order.size() - 1) / 2;
        int swapped = 0;
        for (int i = 0; i < order.size(); i++) {
            for (int j = i + 1; j < order.size(); j++) {
                swapped += order.get(i) > order.get(j) ? 1 : 0;
            }
        }
        return 1 - 2.0 * swapped / pairs;
    }

    /** All leave at once. */
    void disperse() throws InterruptedException {
        for (Visitor visitor : all) {
            visitor.interrupt();
            visitor.join();
        }
    }

    private final class Visitor extends Thread {

        private final int number;
        private final int port;
        private final Random random;
        private String cookie = "none=none";
        private long firstServed;
        private long lastSent = System.nanoTime();
        private boolean idle;
        private volatile boolean absent;
        private final AtomicInteger owed = new AtomicInteger();
        private final AtomicInteger kept = new AtomicInteger();

        Visitor(int number, int port) {
            super("visitor-" + number);
            setDaemon(true);
            this.number = number;
            this.port = port;
            this.random = new Random(number);
        }

        @Override
        public void run() {
            try {
                while (firstServed == 0 || System.nanoTime() - firstServed < passNanos) {
                    long waiting = WAITING_MILLIS + (long) (random.nextDouble() * JITTER_MILLIS);
                    TimeUnit.MILLISECONDS.sleep(firstServed == 0 ? waiting : USING_MILLIS);
                    ask();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void ask() {
            boolean live = firstServed != 0;
            long silence = System.nanoTime() - lastSent;
            lastSent += silence;
            idle |= live && silence > idleNanos;
            if (!live && silence > absenceNanos) {
                absent = true;
            }
            try (RawClient client = new RawClient(port)) {
                RawClient.Response response = client.send(
                                "GET /" + number + " HTTP/1.1\r\nHost: shop.example\r\nCookie: " + cookie + "\r\n\r\n")
                        .read();
                String given = response.field("Set-Cookie");
                cookie = given.isEmpty() ? cookie : given.split(";", 2)[0];
                boolean well = response.status() == 200;
                if (live && !idle) {
                    owed.incrementAndGet();
                    kept.addAndGet(well ? 1 : 0);
                } else if (!live && well) {
                    firstServed = System.nanoTime();
                    served.add(this);
                }
            }
        }
    }
}
