package dev.postern.auth.issue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.postern.auth.key.IssuerDirectory;
import dev.postern.auth.key.IssuerKey;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.token.TokenType;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Issuer of tokens of any type, for development, tests and load tests: directory and issuance of RFC 9578 over plain HTTP, without
 * attestation of clients. Thread-safe.
 */
public final class DevelopmentIssuer implements AutoCloseable {

    static final String REQUEST_PATH = "/token-request";
    static final String ROLL_PATH = "/roll";
    static final String RETIRE_PATH = "/retire";

    private static final int MAX_DISCARDED = 1 << 20;

    static {
        // The JDK's server writes head and body separately; with Nagle's algorithm each response would wait for a
        // delayed ACK. The server's classes read the property once.
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
    }

    private final HttpServer server;
    private final ExecutorService threads;
    private final IssuingKeys keys;
    private final TokenType type;
    private final Duration maxAge;
    private final Rolling rolling;
    private final AtomicLong issued = new AtomicLong();

    /**
     * Options of the issuer.
     *
     * @param types in the order in which the directory lists their keys
     * @param maxAge cache lifetime of the directory
     * @param rolling what a roll of the keys does
     * @param made called with every new key before clients see the key
     */
    public record Options(
            List<TokenType> types, Duration maxAge, Rolling rolling, InstantSource clock, Consumer<IssuingKey> made) {

        public Options {
            types = List.copyOf(types);
        }
    }

    /**
     * Settings of a roll of the keys.
     *
     * @param announce how long a new key is listed before clients use it
     * @param keep how many keys of each type stay listed, the new one included; the current key of clients stays in any case
     */
    public record Rolling(Duration announce, int keep) {

        public static final Rolling DEFAULT = new Rolling(Duration.ZERO, 2);

        public Rolling {
            if (announce.isNegative() || keep < 1) {
                throw new IllegalArgumentException(
                        "announce, keep: " + announce + ", " + keep + " (expected: 0s or more, 1 or more)");
            }
        }
    }

    private DevelopmentIssuer(HttpServer server, Options options) {
        this.server = server;
        this.keys = new IssuingKeys(options.types(), options.clock(), options.made());
        this.type = options.types().get(0);
        this.maxAge = options.maxAge();
        this.rolling = options.rolling();
        this.threads = Executors.newFixedThreadPool(
                Math.max(4, Runtime.getRuntime().availableProcessors() * 2), DevelopmentIssuer::daemon);
        server.setExecutor(threads);
        server.createContext(IssuerSettings.WELL_KNOWN, exchange -> response(exchange, this::directory));
        server.createContext(REQUEST_PATH, exchange -> response(exchange, this::token));
        server.createContext(ROLL_PATH, exchange -> response(exchange, e -> run(e, this::roll)));
        server.createContext(RETIRE_PATH, exchange -> response(exchange, e -> run(e, this::retireOld)));
        server.createContext("/", exchange -> response(exchange, e -> Response.status(404)));
    }

    /**
     * Starts an issuer with a key of type 2.
     *
     * @param address port 0 takes a free one
     * @param maxAge cache lifetime of the directory
     */
    public static DevelopmentIssuer start(InetSocketAddress address, Duration maxAge, InstantSource clock)
            throws IOException {
        return start(address, new Options(List.of(TokenType.BLIND_RSA), maxAge, Rolling.DEFAULT, clock, key -> {}));
    }

    /** Starts an issuer with a key of each type. */
    public static DevelopmentIssuer start(InetSocketAddress address, Options options) throws IOException {
        HttpServer server = HttpServer.create(address, 1024);
        DevelopmentIssuer issuer = new DevelopmentIssuer(server, options);
        server.start();
        return issuer;
    }

    /** Returns the issuer name for challenges: {@code host:port} of the listening address. */
    public String name() {
        InetSocketAddress address = server.getAddress();
        String host = address.getAddress().isAnyLocalAddress() ? "localhost" : address.getHostString();
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    public URI directoryUri() {
        return URI.create("http://" + name() + IssuerSettings.WELL_KNOWN);
    }

    /** Returns the current key of the first type. */
    public IssuerKey key() {
        return key(type);
    }

    /** Returns the current key of that type. */
    public IssuerKey key(TokenType of) {
        return keys.current(of);
    }

    /** Returns how many tokens were signed. */
    public long issued() {
        return issued.get();
    }

    /**
     * Makes a new key of each type, which clients use from then on; older keys stay listed and sign until they are retired.
     *
     * @param notBefore how long clients must wait before they use the key; zero for at once
     * @return the new key of the first type
     */
    public IssuerKey rotate(Duration notBefore) {
        return keys.rotate(notBefore);
    }

    public IssuerKey rotate() {
        return rotate(Duration.ZERO);
    }

    /**
     * Removes all but the newest keys of each type from the directory; requests for removed keys are refused. The current key of clients
     * stays.
     *
     * @param keep how many of each type stay
     */
    public void retire(int keep) {
        keys.retire(keep);
    }

    /** Makes a new key of each type and retires the oldest ones, as the options say. */
    public void roll() {
        keys.rotate(rolling.announce());
        keys.retire(rolling.keep());
    }

    /** Retires every key but the newest and the current one. */
    public void retireOld() {
        retire(1);
    }

    /** Runs a request of the operator: only from the local machine, and not from a page in a browser. */
    private static Response run(HttpExchange exchange, Runnable action) {
        if (!exchange.getRequestMethod().equals("POST")) {
            return Response.status(405);
        }
        if (!exchange.getRemoteAddress().getAddress().isLoopbackAddress()
                || exchange.getRequestHeaders().containsKey("Origin")) {
            return Response.status(403);
        }
        action.run();
        return Response.status(204);
    }

    private Response directory(HttpExchange exchange) {
        if (!exchange.getRequestMethod().equals("GET")
                && !exchange.getRequestMethod().equals("HEAD")) {
            return Response.status(405);
        }
        exchange.getResponseHeaders().set("Cache-Control", "public, max-age=" + maxAge.toSeconds());
        return new Response(200, IssuerDirectory.MEDIA_TYPE, keys.directory(REQUEST_PATH));
    }

    /** Issues a token; a request that cannot be served gets 422 (RFC 9578 sections 5.2 and 6.2). */
    private Response token(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            return Response.status(405);
        }
        if (!TokenRequest.MEDIA_TYPE.equals(exchange.getRequestHeaders().getFirst("Content-Type"))) {
            return Response.status(415);
        }
        byte[] body = exchange.getRequestBody().readNBytes(TokenRequest.MAX_BYTES);
        // Otherwise a client that is still sending would lose the response to a connection reset.
        exchange.getRequestBody().readNBytes(MAX_DISCARDED);
        TokenRequest request = TokenRequest.decode(body);
        byte[] signature = request == null ? null : keys.sign(request);
        if (signature == null) {
            return Response.status(422);
        }
        issued.incrementAndGet();
        return new Response(200, TokenRequest.RESPONSE_MEDIA_TYPE, signature);
    }

    private static void response(HttpExchange exchange, Action action) throws IOException {
        try (exchange) {
            Response response = action.of(exchange);
            if (response.body().length > 0) {
                exchange.getResponseHeaders().set("Content-Type", response.mediaType());
            }
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(
                    response.status(), head || response.body().length == 0 ? -1 : response.body().length);
            if (!head) {
                exchange.getResponseBody().write(response.body());
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

        Response of(HttpExchange exchange) throws IOException;
    }

    private record Response(int status, String mediaType, byte[] body) {

        static Response status(int status) {
            return new Response(status, "", new byte[0]);
        }
    }
}
