package dev.postern.app.admin;

import dev.postern.core.rate.LogRateLimiter;
import dev.postern.core.transport.Transport;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server of the admin address: probes, metrics and state of the process. Only allowed Host values are served, so that DNS rebinding gives a
 * page in an operator's browser no access. Changes need the admin token.
 */
public final class AdminServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
    private static final String TEXT = "text/plain";
    private static final long IDLE_SECONDS = 10;

    private final Map<String, AdminEndpoint> probes;
    private final Map<String, AdminEndpoint> endpoints;
    private final Map<String, AdminEndpointTable.Change> changes;
    private final List<String> allowedHosts;
    private final @Nullable AdminToken token;
    private final AdminListener listener;
    private final LogRateLimiter line;
    private final ExecutorService threads = threads("postern-admin");

    /**
     * @param ticker limits the rate of log lines
     * @param allowedHosts names that a Host field may contain beside address literals
     * @param token required for changes; null if changes are not allowed
     * @throws IllegalStateException when the address can't be bound
     */
    public AdminServer(
            InetSocketAddress address,
            Transport transport,
            Ticker ticker,
            List<String> allowedHosts,
            @Nullable AdminToken token,
            AdminEndpointTable table) {
        this.probes = table.probes().endpoints();
        this.endpoints = table.shown();
        this.changes = table.changes();
        this.token = token;
        this.line = new LogRateLimiter(ticker);
        this.allowedHosts =
                allowedHosts.stream().map(h -> h.toLowerCase(Locale.ROOT)).toList();
        this.listener = new AdminListener("admin.address", address, transport, this::handle);
    }

    public InetSocketAddress address() {
        return listener.address();
    }

    /** Handles a request on the event loop: probes respond here, all other endpoints on an admin thread, which may block. */
    private void handle(AdminExchange exchange) {
        AdminRequest request = exchange.request();
        AdminEndpoint probe = request.reads() ? probes.get(request.path()) : null;
        if (request.connects()) {
            readOnly(exchange, "This address is no proxy.\n"); // its target is not a name of this address
        } else if (!hostAllowed(request.host())) {
            exchange.send(421, TEXT, "This Host is not among admin.allow-hosts.\n");
        } else if (probe != null) {
            serve(exchange, probe);
        } else {
            try {
                threads.execute(() -> serve(exchange, request.reads() ? this::show : this::change));
            } catch (RejectedExecutionException e) {
                exchange.set("Retry-After", "1");
                exchange.send(503, TEXT, "Too many requests are in progress. Retry in 1 s.\n");
            }
        }
    }

    private void serve(AdminExchange exchange, AdminEndpoint endpoint) {
        try {
            endpoint.show(exchange);
        } catch (IOException e) {
            LOG.debug(
                    "admin page {}: {}",
                    exchange.request().path(),
                    e.getMessage()); // the client has closed the connection
            exchange.fail();
        } catch (RuntimeException e) {
            if (line.tryAcquire()) { // anyone who reaches the address may repeat the request
                LOG.error(
                        "admin page {} failed (more may have)",
                        exchange.request().path(),
                        e);
            }
            exchange.fail();
        }
    }

    private void change(AdminExchange exchange) {
        AdminRequest request = exchange.request();
        List<String> words = request.words();
        AdminEndpointTable.Change change = words.isEmpty() ? null : changes.get(request.method() + " /" + words.get(0));
        if (token == null || change == null) {
            readOnly(
                    exchange,
                    token == null ? "This address is read-only: there is no admin.token-file.\n" : "Read-only.\n");
        } else if (!token.allows(exchange.field("Authorization"))) {
            exchange.set("WWW-Authenticate", "Bearer");
            exchange.send(401, TEXT, "Changes need the token of admin.token-file.\n");
        } else {
            AdminEndpointTable.Changed changed = change.apply(words.subList(1, words.size()), request.body());
            LOG.info("admin: {} {}: {}", request.method(), request.path(), changed.status());
            exchange.json(changed.status(), changed.body());
        }
    }

    private static void readOnly(AdminExchange exchange, String reason) {
        exchange.set("Allow", "GET, HEAD");
        exchange.send(405, TEXT, reason);
    }

    private void show(AdminExchange exchange) throws IOException {
        AdminEndpoint endpoint = endpoints.get(exchange.request().path());
        if (endpoint == null) {
            Set<String> all = new TreeSet<>(endpoints.keySet());
            all.addAll(probes.keySet());
            exchange.send(404, TEXT, "There are: " + String.join(" ", all) + "\n");
        } else {
            endpoint.show(exchange);
        }
    }

    /** Returns whether the Host value is allowed. DNS rebinding can't use address literals; names must be listed. */
    private boolean hostAllowed(String host) {
        int colon = host.lastIndexOf(':');
        String bare = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
        return bare.startsWith("[")
                || NetUtil.isValidIpV4Address(bare)
                || allowedHosts.contains(bare.toLowerCase(Locale.ROOT));
    }

    /** Returns threads for endpoints that block: as many as such requests are in progress, up to a bound. */
    private static ExecutorService threads(String name) {
        return new ThreadPoolExecutor(
                1,
                AdminListener.MAX_CONNECTIONS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new DefaultThreadFactory(name, true));
    }

    @Override
    public void close() {
        threads.shutdownNow();
        listener.close();
    }
}
