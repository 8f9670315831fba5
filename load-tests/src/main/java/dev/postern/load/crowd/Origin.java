package dev.postern.load.crowd;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.postern.load.measure.Unchecked;
import dev.postern.load.server.RunFolder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Origin in this process with a fixed number of workers, a fixed time per request, and a bounded queue in front of them. It counts by the
 * first segment of the path, the crowd. Thread-safe.
 */
public final class Origin implements AutoCloseable {
    static final String SESSION = "X-Session";
    static final String PAGE = "X-Page";
    static final String SENT = "X-Sent";
    static final String UNCOUNTED = "X-Uncounted";
    /** How long a request occupies a worker. */
    private static final Duration BUSY = Duration.ofMillis(40);

    private static final int QUEUE = 512;
    private static final byte[] BODY = "served\n".getBytes(StandardCharsets.UTF_8);

    private final Map<String, Register> registers = new ConcurrentHashMap<>();
    private final HttpServer server;
    private final ExecutorService executor;
    private final Duration gap;
    private final int parts;

    private Origin(int workers, Duration gap, int parts) throws IOException {
        // Without this, 40 ms of Nagle's algorithm and delayed acknowledgement would limit the capacity.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.idleInterval", "600");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "4096");
        this.gap = gap;
        this.parts = parts;
        executor = new ThreadPoolExecutor(workers, workers, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), QUEUE);
        server.setExecutor(executor);
        server.createContext("/", this::serve);
        server.start();
    }

    /**
     * Starts an origin.
     *
     * @param gap silence after which a session is no longer active
     * @param parts of a whole page
     */
    public static Origin start(RunFolder folder, int workers, Duration gap, int parts) {
        return folder.add(Unchecked.get(() -> new Origin(workers, gap, parts)));
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Returns the counters of that crowd. */
    public Counters counters(String crowd) {
        return register(crowd).counters();
    }

    /** Returns the times of activity of the sessions of that crowd. */
    public Stretches sessions(String crowd) {
        return register(crowd).stretches();
    }

    private Register register(String crowd) {
        return registers.computeIfAbsent(crowd, name -> new Register(gap.toNanos() / 1_000, parts));
    }

    /** Sleeps, because the work of a real origin occupies its worker but not the processor of this machine. */
    private void serve(HttpExchange exchange) throws IOException {
        long arrived = Clock.micros();
        Unchecked.run(() -> TimeUnit.MILLISECONDS.sleep(BUSY.toMillis()));
        String path = exchange.getRequestURI().getPath();
        Headers fields = exchange.getRequestHeaders();
        register(path.split("/", 3)[1])
                .served(new Register.Visit(
                        Objects.requireNonNullElse(fields.getFirst(SESSION), ""),
                        Objects.requireNonNullElse(fields.getFirst(PAGE), ""),
                        path,
                        !fields.containsKey(UNCOUNTED),
                        Math.min(arrived, Long.parseLong(Objects.requireNonNullElse(fields.getFirst(SENT), "0"))),
                        arrived));
        exchange.sendResponseHeaders(200, BODY.length);
        exchange.getResponseBody().write(BODY);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }
}
