package dev.postern.app.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Origin server behind the gateway: one page, and a log of its requests. Thread-safe. */
final class SampleOrigin implements AutoCloseable {

    private static final String PAGE = "Hello from the site. It does not know who you are.\n";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(4, task -> {
        Thread thread = new Thread(task, "postern-site");
        thread.setDaemon(true);
        return thread;
    });
    private final List<String> log = new CopyOnWriteArrayList<>();

    private SampleOrigin(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::response);
        server.start();
    }

    static SampleOrigin start(InetSocketAddress address) throws IOException {
        return new SampleOrigin(HttpServer.create(address, 64));
    }

    /** Returns the address as {@code host:port}. */
    String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** Returns method and path of every request so far. */
    List<String> log() {
        return List.copyOf(log);
    }

    private void response(HttpExchange exchange) throws IOException {
        try (exchange) {
            log.add(exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath());
            byte[] body = PAGE.getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
