package dev.postern.app.admin;

import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
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

    private final Map<String, AdminEndpoint> probes;
    private final Map<String, AdminEndpoint> pages;
    private final Map<String, AdminEndpointTable.Change> changes;
    private final List<String> allowedHosts;
    private final @Nullable AdminToken token;
    private final AdminListener listener;
    private final ExecutorService threads = AdminThreads.named("postern-admin");

    /**
     * @param allowedHosts names that a Host field may have beside address literals
     * @param token who may change something; null for nobody
     * @throws IllegalStateException when the address can't be bound
     */
    public AdminServer(
            InetSocketAddress address,
            List<String> allowedHosts,
            @Nullable AdminToken token,
            AdminEndpointTable pages) {
        this.probes = pages.probes().pages();
        this.pages = pages.shown();
        this.changes = pages.changes();
        this.token = token;
        this.allowedHosts =
                allowedHosts.stream().map(h -> h.toLowerCase(Locale.ROOT)).toList();
        this.listener = new AdminListener("admin.address", address, this::handle);
    }

    public InetSocketAddress address() {
        return listener.address();
    }

    /** On the event loop: probes are answered here, everything else by a thread that may take its time. */
    private void handle(AdminExchange visit) {
        AdminRequest request = visit.request();
        AdminEndpoint probe = request.reads() ? probes.get(request.path()) : null;
        if (!hostAllowed(request.host())) {
            visit.send(421, TEXT, "This Host is not among admin.allow-hosts.\n");
        } else if (probe != null) {
            serve(visit, probe);
        } else {
            try {
                threads.execute(() -> serve(visit, request.reads() ? this::show : this::change));
            } catch (RejectedExecutionException e) {
                visit.set("Retry-After", "1");
                visit.send(503, TEXT, "Too many pages are being made. Ask again in 1 s.\n");
            }
        }
    }

    private static void serve(AdminExchange visit, AdminEndpoint page) {
        try {
            page.show(visit);
        } catch (IOException e) {
            LOG.debug("admin page {}: {}", visit.request().path(), e.getMessage()); // the visitor has left
            visit.fail();
        } catch (RuntimeException e) {
            LOG.error("admin page {} failed", visit.request().path(), e);
            visit.fail();
        }
    }

    private void change(AdminExchange visit) {
        AdminRequest request = visit.request();
        List<String> words = List.of(request.path().substring(1).split("/"));
        AdminEndpointTable.Change change = changes.get(request.method() + " /" + words.get(0));
        if (token == null || change == null) {
            visit.set("Allow", "GET, HEAD");
            String reason =
                    token == null ? "This address is read-only: there is no admin.token-file.\n" : "Read-only.\n";
            visit.send(405, TEXT, reason);
        } else if (!token.allows(visit.field("Authorization"))) {
            visit.set("WWW-Authenticate", "Bearer");
            visit.send(401, TEXT, "Changes need the token of admin.token-file.\n");
        } else {
            AdminEndpointTable.Changed changed = change.apply(words.subList(1, words.size()), request.body());
            LOG.info("admin: {} {}: {}", request.method(), request.path(), changed.status());
            visit.json(changed.status(), changed.told());
        }
    }

    private void show(AdminExchange visit) throws IOException {
        AdminEndpoint page = pages.get(visit.request().path());
        if (page == null) {
            Set<String> all = new TreeSet<>(pages.keySet());
            all.addAll(probes.keySet());
            visit.send(404, TEXT, "There are: " + String.join(" ", all) + "\n");
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
        threads.shutdownNow();
        listener.close();
    }
}
