package dev.postern.auth.issue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.postern.auth.key.Directory;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.key.RsaKey;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An issuer of type 2 tokens for development, tests and load tests: directory and issuance of RFC 9578 over plain HTTP, for whoever asks.
 * It attests nothing. Thread-safe.
 */
public final class DevelopmentIssuer implements AutoCloseable {

    static final String REQUEST_PATH = "/token-request";

    static {
        // The JDK's server writes head and body apart; with Nagle on, each answer would wait for a delayed ACK. Read
        // once by its classes.
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
    }

    private final HttpServer server;
    private final ExecutorService threads;
    private final IssuingKeys keys;
    private final Duration maxAge;
    private final AtomicLong issued = new AtomicLong();

    private DevelopmentIssuer(HttpServer server, IssuingKeys keys, Duration maxAge) {
        this.server = server;
        this.keys = keys;
        this.maxAge = maxAge;
        this.threads = Executors.newFixedThreadPool(
                Math.max(4, Runtime.getRuntime().availableProcessors() * 2), DevelopmentIssuer::daemon);
        server.setExecutor(threads);
        server.createContext(IssuerSettings.WELL_KNOWN, exchange -> answer(exchange, this::directory));
        server.createContext(REQUEST_PATH, exchange -> answer(exchange, this::token));
        server.createContext("/", exchange -> answer(exchange, e -> Answer.status(404)));
    }

    /**
     * Makes a key and starts to listen.
     *
     * @param address port 0 takes a free one
     * @param maxAge what the directory says of how long it may be cached
     */
    public static DevelopmentIssuer start(InetSocketAddress address, Duration maxAge, InstantSource clock)
            throws IOException {
        HttpServer server = HttpServer.create(address, 1024);
        DevelopmentIssuer issuer = new DevelopmentIssuer(server, new IssuingKeys(clock), maxAge);
        server.start();
        return issuer;
    }

    /** The name for challenges: {@code host:port} of the address that it listens on. */
    public String name() {
        InetSocketAddress address = server.getAddress();
        String host = address.getAddress().isAnyLocalAddress() ? "localhost" : address.getHostString();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    public URI directoryUri() {
        return URI.create("http://" + name() + IssuerSettings.WELL_KNOWN);
    }

    /** The key that clients use now. */
    public RsaKey key() {
        return keys.current();
    }

    /** How many tokens were signed. */
    public long issued() {
        return issued.get();
    }

    /**
     * Makes a new key, which clients use from then on; older ones stay listed and go on signing until they are retired.
     *
     * @param notBefore how long clients still have to wait with it; zero for at once
     */
    public RsaKey rotate(Duration notBefore) {
        return keys.rotate(notBefore);
    }

    public RsaKey rotate() {
        return rotate(Duration.ZERO);
    }

    /** Takes every key but the newest out of the directory; requests for them are refused from now on. */
    public void retireOld() {
        keys.retireOld();
    }

    private Answer directory(HttpExchange exchange) {
        if (!exchange.getRequestMethod().equals("GET")
                && !exchange.getRequestMethod().equals("HEAD")) {
            return Answer.status(405);
        }
        exchange.getResponseHeaders().set("Cache-Control", "public, max-age=" + maxAge.toSeconds());
        return new Answer(200, Directory.MEDIA_TYPE, keys.directory(REQUEST_PATH));
    }

    /** RFC 9578 section 6.2: every request that can't be served is 422. */
    private Answer token(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            return Answer.status(405);
        }
        if (!TokenRequest.MEDIA_TYPE.equals(exchange.getRequestHeaders().getFirst("Content-Type"))) {
            return Answer.status(415);
        }
        byte[] body = exchange.getRequestBody().readNBytes(TokenRequest.LENGTH + 1);
        TokenRequest request = TokenRequest.decode(body);
        byte[] signature = request == null ? null : keys.sign(request);
        if (signature == null) {
            return Answer.status(422);
        }
        issued.incrementAndGet();
        return new Answer(200, TokenRequest.RESPONSE_MEDIA_TYPE, signature);
    }

    private static void answer(HttpExchange exchange, Action action) throws IOException {
        try (exchange) {
            Answer answer = action.of(exchange);
            if (answer.body().length > 0) {
                exchange.getResponseHeaders().set("Content-Type", answer.mediaType());
            }
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(
                    answer.status(), head || answer.body().length == 0 ? -1 : answer.body().length);
            if (!head) {
                exchange.getResponseBody().write(answer.body());
            }
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "postern-issuer");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    @FunctionalInterface
    private interface Action {

        Answer of(HttpExchange exchange) throws IOException;
    }

    private record Answer(int status, String mediaType, byte[] body) {

        static Answer status(int status) {
            return new Answer(status, "", new byte[0]);
        }
    }
}
