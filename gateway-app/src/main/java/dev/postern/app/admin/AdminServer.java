package dev.postern.app.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the admin address: probes, metrics, and what the process knows of itself. Only for allowed Host values, so that a page in an
 * operator's browser can't be made to read it by a rebound name; changes only for who has the token.
 */
public final class AdminServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
    private static final String TEXT = "text/plain";
    private static final int LARGEST_BODY = 65_536;

    private final SortedMap<String, AdminPage> pages = new TreeMap<>();
    private final Map<String, AdminPages.Change> changes;
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
        this.pages.putAll(pages.probes().pages());
        this.pages.putAll(pages.shown());
        this.changes = pages.changes();
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
            AdminVisit visit = new AdminVisit(exchange);
            String method = exchange.getRequestMethod();
            if (!hostAllowed(visit.field("Host"))) {
                visit.send(421, TEXT, "This Host is not among admin.allow-hosts.\n");
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                change(exchange, visit);
            } else {
                show(exchange.getRequestURI().getPath(), visit);
            }
        } catch (RuntimeException e) {
            LOG.error("admin page {} failed", exchange.getRequestURI().getPath(), e);
        }
    }

    private void change(HttpExchange exchange, AdminVisit visit) throws IOException {
        String method = exchange.getRequestMethod();
        List<String> words =
                List.of(exchange.getRequestURI().getPath().substring(1).split("/"));
        AdminPages.Change change = changes.get(method + " /" + words.get(0));
        if (token == null || change == null) {
            visit.set("Allow", "GET, HEAD");
            String why = token == null ? "This address is read-only: there is no admin.token-file.\n" : "Read-only.\n";
            visit.send(405, TEXT, why);
        } else if (!token.allows(visit.field("Authorization"))) {
            visit.set("WWW-Authenticate", "Bearer");
            visit.send(401, TEXT, "Changes need the token of admin.token-file.\n");
        } else {
            byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
            if (body.length > LARGEST_BODY) {
                visit.send(413, TEXT, "At most " + LARGEST_BODY + " bytes.\n");
                return;
            }
            AdminPages.Changed changed = change.apply(words.subList(1, words.size()), new String(body, UTF_8));
            LOG.info("admin: {} {}: {}", method, exchange.getRequestURI().getRawPath(), changed.status());
            visit.json(changed.status(), changed.told());
        }
    }

    private void show(String path, AdminVisit visit) throws IOException {
        AdminPage page = pages.get(path);
        if (page == null) {
            visit.send(404, TEXT, "There are: " + String.join(" ", pages.keySet()) + "\n");
        } else {
            page.show(visit);
        }
    }

    /** Address literals can't be rebound; names must be listed. */
    private boolean hostAllowed(String host) {
        int colon = host.lastIndexOf(':');
        String bare = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
        return bare.startsWith("[")
                || NetUtil.isValidIpV4Address(bare)
                || allowedHosts.contains(bare.toLowerCase(Locale.ROOT));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
