package dev.postern.app.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Serves the admin address: probes, metrics, and what the process knows of itself. Only for allowed Host values, so that a page in an
 * operator's browser can't be made to read it by a rebound name; changes only for who has the token.
 */
public final class AdminServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private static final int LARGEST_BODY = 65_536;

    private final AdminPages pages;
    private final List<String> allowedHosts;
    private final @Nullable AdminToken token;
    private final HttpServer server;
    private final ExecutorService threads = AdminThreads.named("postern-admin");

    /**
     * @param allowedHosts names that a Host field may have beside address literals
     * @param token who may change something; null for nobody
     * @throws IllegalStateException when the address can't be bound
     */
    public AdminServer(
            InetSocketAddress address, List<String> allowedHosts, @Nullable AdminToken token, AdminPages pages) {
        this.pages = pages;
        this.token = token;
        this.allowedHosts =
                allowedHosts.stream().map(h -> h.toLowerCase(Locale.ROOT)).toList();
        try {
            server = HttpServer.create(address, 64);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "admin.address: " + address + ": " + e.getMessage()
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
            String method = exchange.getRequestMethod();
            if (!hostAllowed(exchange.getRequestHeaders().getFirst("Host"))) {
                send(exchange, 421, "text/plain", "This Host is not among admin.allow-hosts.\n");
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                change(exchange, method);
            } else {
                page(exchange, exchange.getRequestURI().getPath());
            }
        } catch (RuntimeException e) {
            LOG.error("admin page {} failed", exchange.getRequestURI().getPath(), e);
        }
    }

    private void change(HttpExchange exchange, String method) throws IOException {
        String path = exchange.getRequestURI().getPath();
        List<String> words = List.of(path.substring(1).split("/"));
        AdminPages.Change change = pages.changes().get(method + " /" + words.get(0));
        if (token == null || change == null) {
            exchange.getResponseHeaders().set("Allow", "GET, HEAD");
            String why = token == null ? "This address is read-only: there is no admin.token-file.\n" : "Read-only.\n";
            send(exchange, 405, "text/plain", why);
        } else if (!token.allows(exchange.getRequestHeaders().getFirst("Authorization"))) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
            send(exchange, 401, "text/plain", "Changes need the token of admin.token-file.\n");
        } else {
            byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
            if (body.length > LARGEST_BODY) {
                send(exchange, 413, "text/plain", "At most " + LARGEST_BODY + " bytes.\n");
                return;
            }
            AdminPages.Changed changed = change.apply(words.subList(1, words.size()), new String(body, UTF_8));
            LOG.info("admin: {} {}: {}", method, exchange.getRequestURI().getRawPath(), changed.status());
            json(exchange, changed.status(), changed.told());
        }
    }

    private void page(HttpExchange exchange, String path) throws IOException {
        switch (path) {
            case "/livez" -> probe(exchange, pages.live().getAsBoolean(), "live");
            case "/startupz" -> probe(exchange, pages.started().getAsBoolean(), "started");
            case "/readyz" -> ready(exchange);
            case "/metrics" -> {
                String accept = exchange.getRequestHeaders().getFirst("Accept");
                AdminPages.Scrape scrape = pages.metrics().apply(accept == null ? "" : accept);
                send(exchange, 200, scrape.contentType(), scrape.text());
            }
            default -> document(exchange, path);
        }
    }

    private void probe(HttpExchange exchange, boolean good, String what) throws IOException {
        send(exchange, good ? 200 : 503, "text/plain", (good ? what : "not " + what) + "\n");
    }

    private void ready(HttpExchange exchange) throws IOException {
        Map<String, Object> report = new LinkedHashMap<>();
        boolean ready = pages.ready();
        Map<String, Object> parts = new LinkedHashMap<>();
        for (Map.Entry<String, Health.Source> part : pages.health().entrySet()) {
            Health health = part.getValue().health();
            parts.put(part.getKey(), health);
        }
        report.put("ready", ready);
        report.put("started", pages.started().getAsBoolean());
        report.put("draining", pages.draining().getAsBoolean());
        report.put("shedding", pages.shedding().get());
        report.put("parts", parts);
        json(exchange, ready ? 200 : 503, report);
    }

    private void document(HttpExchange exchange, String path) throws IOException {
        Supplier<?> document = pages.documents().get(path);
        if (document == null) {
            List<String> all = pages.documents().keySet().stream().sorted().toList();
            send(
                    exchange,
                    404,
                    "text/plain",
                    "There are: /livez /readyz /startupz /metrics " + String.join(" ", all) + "\n");
        } else {
            json(exchange, 200, document.get());
        }
    }

    private void json(HttpExchange exchange, int status, Object body) throws IOException {
        send(exchange, status, "application/json", JSON.writeValueAsString(body) + "\n");
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, head ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
    }

    /** Address literals can't be rebound; names must be listed. */
    private boolean hostAllowed(String host) {
        if (host == null) {
            return false;
        }
        int colon = host.lastIndexOf(':');
        String bare = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
        return bare.startsWith("[")
                || io.netty.util.NetUtil.isValidIpV4Address(bare)
                || allowedHosts.contains(bare.toLowerCase(Locale.ROOT));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
