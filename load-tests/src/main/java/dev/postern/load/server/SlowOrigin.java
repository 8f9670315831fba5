package dev.postern.load.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Slow origin: responds to each request after a delay and with the requested path. Each request has a thread of its
 * own.
 */
public record SlowOrigin(HttpServer server, ExecutorService threads) implements AutoCloseable {

    public static SlowOrigin start(Duration delay) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            ExecutorService threads = Executors.newCachedThreadPool();
            server.setExecutor(threads);
            server.createContext("/", exchange -> response(exchange, delay));
            server.start();
            return new SlowOrigin(server, threads);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void response(HttpExchange exchange, Duration delay) throws IOException {
        try (exchange) {
            Thread.sleep(delay.toMillis());
            byte[] body = exchange.getRequestURI().getPath().getBytes(US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
