package dev.postern.app.reading;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Runs the HTTP server of the JDK with a context at {@code /api}. */
final class JdkBackend implements Backend {

    private final HttpServer server;

    JdkBackend() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 128);
        server.createContext("/", exchange -> respond(exchange, ""));
        server.createContext("/api", exchange -> {
            String path = exchange.getRequestURI().getPath();
            respond(exchange, path.equals("/api") || path.startsWith("/api/") ? "path" : "");
        });
        server.start();
    }

    private static void respond(HttpExchange exchange, String path) throws IOException {
        String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
        String mark = host.equalsIgnoreCase("api.example") ? "host" : path;
        if (!mark.isEmpty()) {
            exchange.getResponseHeaders().set(PROTECTED, mark);
        }
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    @Override
    public String address() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
