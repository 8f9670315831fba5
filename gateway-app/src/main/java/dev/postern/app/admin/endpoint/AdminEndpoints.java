package dev.postern.app.admin.endpoint;

import dev.postern.app.admin.AdminEndpoint;
import dev.postern.app.admin.AdminEndpointTable;
import dev.postern.app.admin.AdminExchange;
import dev.postern.app.admin.Probes;
import dev.postern.app.context.ContextWatch;
import dev.postern.app.flame.FlamePage;
import dev.postern.app.live.LiveFeed;
import dev.postern.app.live.LivePage;
import dev.postern.app.log.FailureBuffer;
import dev.postern.app.page.AdminPage;
import dev.postern.app.profile.Profilers;
import dev.postern.auth.Auth;
import dev.postern.ratelimit.RateLimits;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Supplier;

/** Endpoints of the admin address: which path shows or changes what. Thread-safe; called by admin threads. */
public final class AdminEndpoints {

    private final KeyEndpoint keys;
    private final RoomsEndpoint rooms;
    private final ContextWatch context;
    private final FailureBuffer failures;
    private final PrometheusMeterRegistry registry;

    public AdminEndpoints(
            Auth auth,
            RateLimits limits,
            ContextWatch context,
            FailureBuffer failures,
            PrometheusMeterRegistry registry) {
        this.keys = new KeyEndpoint(auth);
        this.rooms = new RoomsEndpoint(limits);
        this.context = context;
        this.failures = failures;
        this.registry = registry;
    }

    /** @param reload applied by POST /reload */
    public AdminEndpointTable table(Probes probes, LiveFeed live, AdminEndpointTable.Change reload) {
        return new AdminEndpointTable(
                probes,
                Map.of(
                        "/", LivePage.page(),
                        "/rooms", AdminPage.rooms(),
                        "/keys", AdminPage.keys(),
                        "/context", AdminPage.context()),
                Map.of(
                        "/", LivePage.index(),
                        "/metrics", this::metrics,
                        "/context", AdminEndpoint.document(context::read),
                        "/failures", this::failures,
                        "/keys", AdminEndpoint.document(keys::issuers),
                        "/rooms", AdminEndpoint.document(rooms::rooms)),
                Map.of("/live", live, "/flamegraph", new FlamePage(new Profilers(), InstantSource.system())),
                Map.of(
                        "DELETE /keys",
                        keys::drop,
                        "POST /keys",
                        keys::refresh,
                        "PATCH /rooms",
                        rooms::change,
                        "POST /reload",
                        reload));
    }

    /**
     * Returns the documents that the live page shows beside the meters; none of them blocks.
     *
     * @param version of this release
     */
    public Map<String, Supplier<?>> live(Probes probes, String version) {
        return Map.of(
                "about", () -> about(version),
                "health", probes::report,
                "rooms", rooms::busiest,
                "context", context::last);
    }

    private static Map<String, Object> about(String version) {
        return Map.of(
                "version",
                version,
                "java",
                Runtime.version().toString(),
                "up",
                ManagementFactory.getRuntimeMXBean().getUptime() / 1000);
    }

    /** Shows all records, or with the parameter {@code id} those of one request. */
    private void failures(AdminExchange exchange) {
        String id = exchange.parameter("id", "");
        exchange.json(200, id.isEmpty() ? failures.all() : failures.of(id));
    }

    private void metrics(AdminExchange exchange) throws IOException {
        String type = exchange.field("Accept").contains("application/openmetrics-text")
                ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                : "text/plain; version=0.0.4; charset=utf-8";
        exchange.send(200, type, registry.scrape(type));
    }
}
