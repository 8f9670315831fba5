package dev.postern.auth.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** HTTP server on a free loopback port whose behaviour a test can change. */
public final class HttpFixture implements AutoCloseable {

    private final HttpServer server;
    private final String scheme;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger requests = new AtomicInteger();
    private volatile HttpHandler behaviour = text(200, "text/plain", "hello");

    public HttpFixture() throws IOException {
        this(null);
    }

    /** @param tls makes it an HTTPS server */
    public HttpFixture(@Nullable SSLContext tls) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (tls == null) {
            server = HttpServer.create(address, 0);
            scheme = "http";
        } else {
            HttpsServer secure = HttpsServer.create(address, 0);
            secure.setHttpsConfigurator(new HttpsConfigurator(tls));
            server = secure;
            scheme = "https";
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            try (exchange) {
                behaviour.handle(exchange);
            }
        });
        server.start();
    }

    public static HttpHandler text(int status, String mediaType, String body, String... fields) {
        return exchange -> {
            exchange.getResponseHeaders().set("Content-Type", mediaType);
            for (int i = 0; i < fields.length; i += 2) {
                exchange.getResponseHeaders().set(fields[i], fields[i + 1]);
            }
            send(exchange, status, body.getBytes(StandardCharsets.UTF_8));
        };
    }

    public static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    public void behave(HttpHandler next) {
        behaviour = next;
    }

    public int requests() {
        return requests.get();
    }

    public URI uri(String path) {
        return URI.create(scheme + "://localhost:" + server.getAddress().getPort() + path);
    }

    /** Returns {@code localhost:port}. */
    public String name() {
        return "localhost:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
