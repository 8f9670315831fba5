package dev.postern.app.admin;

import dev.postern.app.admin.AdminToken.Rights;
import dev.postern.core.rate.LogRateLimiter;
import dev.postern.core.tls.ServerTls;
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
 * page in an operator's browser no access; pages of other sites are refused by Origin and, where browsers send it, by Fetch Metadata.
 */
public final class AdminServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
    private static final String TEXT = "text/plain";
    private static final String READS = "GET, HEAD";
    private static final long IDLE_SECONDS = 10;

    private final Map<String, AdminEndpoint> probes;
    private final AdminEndpointTable table;
    private final List<String> allowedHosts;
    private final AdminAccess access;
    private final AdminListener listener;
    private final LogRateLimiter line;
    private final ExecutorService threads = threads("postern-admin");

    /**
     * Settings of the address.
     *
     * @param allowedHosts names that a Host field may contain beside address literals
     * @param tls null for plain TCP
     */
    public record Settings(
            InetSocketAddress address,
            List<String> allowedHosts,
            @Nullable ServerTls tls) {}

    /**
     * @param ticker limits the rate of log lines
     * @throws IllegalStateException when the address can't be bound
     */
    public AdminServer(
            Settings settings, Transport transport, Ticker ticker, AdminAccess access, AdminEndpointTable table) {
        this.probes = table.probes().endpoints();
        this.table = table;
        this.access = access;
        this.line = new LogRateLimiter(ticker);
        this.allowedHosts = settings.allowedHosts().stream()
                .map(h -> h.toLowerCase(Locale.ROOT))
                .toList();
        this.listener = new AdminListener("admin.address", settings.address(), transport, settings.tls(), this::handle);
    }

    public InetSocketAddress address() {
        return listener.address();
    }

    /** Handles a request on the event loop: probes respond here, all other endpoints on an admin thread, which may block. */
    private void handle(AdminExchange exchange) {
        AdminRequest request = exchange.request();
        AdminEndpoint probe = probe(request);
        if (request.path().isEmpty()) {
            notAllowed(exchange, READS, request.connects() ? "This address is no proxy.\n" : "There is no path.\n");
        } else if (!hostAllowed(request.host())
                && (probe == null || !request.host().isEmpty())) {
            exchange.send(421, TEXT, "This Host is not among admin.allow-hosts.\n");
        } else if (request.otherOrigin() || !request.reads() && request.otherSite()) {
            exchange.send(
                    403,
                    TEXT,
                    "Requested by a page of another site (expected: of this one; a proxy in between must pass Host"
                            + " unchanged).\n");
        } else if (probe != null) {
            serve(exchange, probe);
        } else {
            try {
                threads.execute(() -> serve(exchange, endpoint(exchange)));
            } catch (RejectedExecutionException e) {
                exchange.set("Retry-After", "1");
                exchange.send(503, TEXT, "Too many requests are in progress. Retry in 1 s.\n");
            }
        }
    }

    /** Returns the probe that is asked for, or null. HAProxy's default check is {@code OPTIONS /}, over HTTP/1.0 without Host. */
    private @Nullable AdminEndpoint probe(AdminRequest request) {
        if (request.method().equals("OPTIONS")) {
            return request.path().equals("/")
                    ? exchange -> exchange.send(table.probes().ready() ? 200 : 503)
                    : null;
        }
        return request.reads() ? probes.get(request.path()) : null;
    }

    private AdminEndpoint endpoint(AdminExchange exchange) {
        AdminRequest request = exchange.request();
        if (table.pages().containsKey(request.path())) {
            exchange.set("Vary", "Accept");
        }
        AdminEndpoint page =
                request.reads() && request.wantsPage() ? table.pages().get(request.path()) : null;
        AdminEndpoint started = table.started().get(request.path());
        if (page != null) {
            return page;
        }
        if (started != null) {
            return asked -> start(asked, started);
        }
        return request.reads() ? this::show : this::change;
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
        AdminEndpointTable.Change change =
                words.isEmpty() ? null : table.changes().get(request.method() + " /" + words.get(0));
        if (change == null) {
            notAllowed(exchange, READS, "Read-only.\n");
            return;
        }
        AdminAccess.Decision decision = access.decide(Rights.CHANGE, request.credentials(), exchange.caller());
        if (decision.verdict() == AdminAccess.Verdict.ALLOWED) {
            AdminEndpointTable.Changed changed = change.apply(words.subList(1, words.size()), request.body());
            LOG.info(
                    "admin: {} {}: {}, by token {} from {}",
                    request.method(),
                    request.sent(),
                    changed.status(),
                    decision.token(),
                    exchange.caller().getHostAddress());
            exchange.json(changed.status(), changed.body());
        } else {
            refuse(exchange, decision);
        }
    }

    private void show(AdminExchange exchange) throws IOException {
        AdminEndpoint endpoint = table.shown().get(exchange.request().path());
        if (endpoint == null) {
            Set<String> all = new TreeSet<>(table.shown().keySet());
            all.addAll(table.started().keySet());
            all.addAll(probes.keySet());
            exchange.send(404, TEXT, "There are: " + String.join(" ", all) + "\n");
        } else {
            read(exchange, endpoint);
        }
    }

    private void start(AdminExchange exchange, AdminEndpoint endpoint) throws IOException {
        if (exchange.request().method().equals("POST")) {
            read(exchange, endpoint);
        } else {
            notAllowed(
                    exchange,
                    "POST",
                    "Send a POST, because this starts work: curl -N -X POST 'http://HOST:PORT"
                            + exchange.request().path() + "'\n");
        }
    }

    private void read(AdminExchange exchange, AdminEndpoint endpoint) throws IOException {
        AdminAccess.Decision decision =
                access.decide(Rights.READ, exchange.request().credentials(), exchange.caller());
        if (decision.verdict() == AdminAccess.Verdict.ALLOWED) {
            endpoint.show(exchange);
        } else {
            refuse(exchange, decision);
        }
    }

    private static void refuse(AdminExchange exchange, AdminAccess.Decision decision) {
        switch (decision.verdict()) {
            case NO_TOKENS ->
                notAllowed(
                        exchange,
                        READS,
                        "This address is read-only: neither admin.token-file nor admin.tokens has a token for"
                                + " changes.\n");
            case FORBIDDEN ->
                exchange.send(
                        403, TEXT, "The token " + decision.token() + " may only read (expected: rights: change).\n");
            case LIMITED -> {
                exchange.set("Retry-After", Long.toString(decision.pause()));
                exchange.send(429, TEXT, "Too many wrong tokens from this address. Retry as Retry-After says.\n");
            }
            default -> {
                exchange.set("WWW-Authenticate", "Bearer");
                exchange.send(
                        401,
                        TEXT,
                        decision.verdict() == AdminAccess.Verdict.WRONG
                                ? "The token is unknown.\n"
                                : "This needs the token of admin.token-file or one of admin.tokens.\n");
            }
        }
    }

    private static void notAllowed(AdminExchange exchange, String allowed, String reason) {
        exchange.set("Allow", allowed);
        exchange.send(405, TEXT, reason);
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
