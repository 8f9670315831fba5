package dev.postern.load.crowd;

import dev.postern.app.socket.Http1Socket.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Browsers that start at the same time and load some pages in sequence. A browser that has to wait polls its place as
 * the script of the waiting page does, and reloads the page when its session is admitted. The assets of a page are
 * fetched over six connections, each asset once.
 */
public final class Browsers {
    private static final int CONNECTIONS = 6;
    private static final String NAVIGATION =
            "Accept: text/html\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n";
    private static final String ASSET = "Accept: */*\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n";

    private final List<Integer> ports;
    private final String crowd;
    private final Size size;
    private final LongAdder loaded = new LongAdder();
    private final Queue<String> refused = new ConcurrentLinkedQueue<>();

    /**
     * @param ports of the gateways; each connection of a browser sends its requests to them in turn
     * @param crowd first segment of the path, which is also the name of the waiting room
     */
    public Browsers(List<Integer> ports, String crowd, Size size) {
        this.ports = List.copyOf(ports);
        this.crowd = crowd;
        this.size = size;
    }

    /**
     * Size of the crowd.
     *
     * @param pages of each browser
     * @param assets of each page
     */
    public record Size(int browsers, int pages, int assets) {
        public int allPages() {
            return browsers * pages;
        }

        /** Returns the number of requests of a whole page: its document and its assets. */
        public int parts() {
            return assets + 1;
        }
    }

    /** Runs all browsers and returns the elapsed time; a browser without a page at the end of the patience gives up. */
    public Duration run(Duration patience) {
        long start = System.nanoTime();
        long end = start + patience.toNanos();
        Crowd.run(size.browsers(), number -> () -> new Browser(number).read(end));
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** Returns the progress so far. */
    public String progress() {
        return crowd + ": " + loaded.sum() + " pages came, with or without all that belongs to them";
    }

    /** Returns a line with the received response for each asset that was not served. */
    public List<String> refused() {
        return List.copyOf(refused);
    }

    private final class Browser {
        private final Visitor visitor;
        private final String name;
        private final List<Line> lines = new ArrayList<>();

        Browser(int number) {
            name = crowd + "-" + number;
            visitor = new Visitor(name);
            for (int i = 0; i < CONNECTIONS; i++) {
                lines.add(new Line(ports, i));
            }
        }

        void read(long end) throws InterruptedException {
            try {
                for (int page = 1; page <= size.pages(); page++) {
                    String fields = Origin.PAGE + ": " + name + "/" + page + "\r\n";
                    if (!navigate(page, fields, end)) {
                        return;
                    }
                    loaded.increment();
                    fetch(page, fields);
                }
            } finally {
                lines.forEach(Line::close);
            }
        }

        private boolean navigate(int page, String fields, long end) throws InterruptedException {
            while (System.nanoTime() < end) {
                String path = "/" + crowd + "/" + page;
                Response response = visitor.get(lines.get(0), path, NAVIGATION + fields);
                if (response.status() == 200) {
                    return true;
                }
                Crowd.pause(Duration.ofMillis(Visitor.patienceMillis(response)));
                if (!response.field("postern-queue-position").isEmpty()) {
                    visitor.await(lines.get(0), crowd, end);
                }
            }
            return false;
        }

        private void fetch(int page, String fields) {
            AtomicInteger next = new AtomicInteger(1);
            Crowd.run(CONNECTIONS, number -> () -> {
                for (int asset = next.getAndIncrement(); asset <= size.assets(); asset = next.getAndIncrement()) {
                    String path = "/" + crowd + "/" + page + "/" + asset;
                    Response response = visitor.get(lines.get(number), path, ASSET + fields);
                    if (response.status() != 200) {
                        refused.add(Clock.micros() + " " + visitor + " " + path + ": " + response);
                    }
                }
            });
        }
    }
}
