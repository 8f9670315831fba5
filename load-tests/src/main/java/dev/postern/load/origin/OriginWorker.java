package dev.postern.load.origin;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;

/**
 * Origin worker: an origin with a fixed number of workers, a fixed time per request, and a bounded queue in front of
 * them. It counts by the first segment of the path and returns the counts under {@code /counters/SEGMENT} and
 * {@code /sessions/SEGMENT}.
 *
 * <p>Arguments: port, workers, milliseconds per request, milliseconds of silence that end a session's activity, parts
 * of a page.
 */
public final class OriginWorker {
    public static final String SESSION = "X-Session";
    public static final String PAGE = "X-Page";
    public static final String SENT = "X-Sent";
    public static final String UNCOUNTED = "X-Uncounted";

    static final JsonMapper JSON = new JsonMapper();

    private static final int QUEUE = 512;
    private static final String COUNTERS = "/counters/";
    private static final String SESSIONS = "/sessions/";

    private final long busyMillis;
    private final long gapMicros;
    private final int parts;
    private final Map<String, Register> registers = new ConcurrentHashMap<>();

    private OriginWorker(String... arguments) {
        busyMillis = Long.parseLong(arguments[2]);
        gapMicros = TimeUnit.MILLISECONDS.toMicros(Long.parseLong(arguments[3]));
        parts = Integer.parseInt(arguments[4]);
    }

    public static void main(String... arguments) throws IOException {
        // Without this, 40 ms of Nagle's algorithm and delayed acknowledgement would limit the capacity.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.idleInterval", "600");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "4096");
        int port = Integer.parseInt(arguments[0]);
        int workers = Integer.parseInt(arguments[1]);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), QUEUE);
        server.setExecutor(
                new ThreadPoolExecutor(workers, workers, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(QUEUE)));
        OriginWorker origin = new OriginWorker(arguments);
        server.createContext("/", origin::serve);
        server.createContext(
                COUNTERS,
                exchange -> json(exchange, origin.register(exchange, COUNTERS).counters()));
        server.createContext(
                SESSIONS,
                exchange -> json(exchange, origin.register(exchange, SESSIONS).stretches()));
        server.start();
    }

    private void serve(HttpExchange exchange) throws IOException {
        long arrived = Clock.micros();
        work();
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
        response(exchange, "served\n");
    }

    private Register register(HttpExchange exchange, String under) {
        return register(exchange.getRequestURI().getPath().substring(under.length()));
    }

    private Register register(String crowd) {
        return registers.computeIfAbsent(crowd, name -> new Register(gapMicros, parts));
    }

    /** Sleeps, because the work of a real origin occupies its worker but not the processor of this machine. */
    private void work() throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(busyMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static void json(HttpExchange exchange, Object value) throws IOException {
        response(exchange, JSON.writeValueAsString(value));
    }

    private static void response(HttpExchange exchange, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
