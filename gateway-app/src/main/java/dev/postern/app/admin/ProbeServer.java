package dev.postern.app.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;

/** The probes on an address of their own, for networks that must not see the admin pages: yes or no by status, and no more. */
public final class ProbeServer implements AutoCloseable {

    private final Probes probes;
    private final HttpServer server;
    private final ExecutorService threads = AdminThreads.named("postern-admin-probes");

    /** @throws IllegalStateException when the address can't be bound */
    public ProbeServer(InetSocketAddress address, Probes probes) {
        this.probes = probes;
        try {
            server = HttpServer.create(address, 64);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "admin.probes-address: " + address + ": " + e.getMessage()
                            + " (expected: an address of this machine that is free)",
                    e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public InetSocketAddress address() {
        return server.getAddress();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.sendResponseHeaders(status(exchange), -1);
        }
    }

    private int status(HttpExchange exchange) {
        String method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return 405;
        }
        return switch (exchange.getRequestURI().getPath()) {
            case "/livez" -> probes.live().getAsBoolean() ? 200 : 503;
            case "/startupz" -> probes.started().getAsBoolean() ? 200 : 503;
            case "/readyz" -> probes.ready() ? 200 : 503;
            default -> 404;
        };
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
