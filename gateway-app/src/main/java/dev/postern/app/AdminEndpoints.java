package dev.postern.app;

import dev.postern.app.admin.AdminEndpoint;
import dev.postern.app.admin.AdminEndpointTable;
import dev.postern.app.admin.AdminExchange;
import dev.postern.app.admin.HealthSource;
import dev.postern.app.admin.Probes;
import dev.postern.app.context.ContextItem;
import dev.postern.app.context.ContextWatch;
import dev.postern.app.flame.FlamePage;
import dev.postern.app.live.LiveFeed;
import dev.postern.app.live.LivePage;
import dev.postern.app.live.LiveSource;
import dev.postern.app.profile.Profilers;
import dev.postern.auth.key.IssuerStatus;
import dev.postern.auth.spend.LedgerHealth;
import dev.postern.core.config.Kebab;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Builds the endpoints of the admin address from the components. Thread-safe; called by admin threads. */
final class AdminEndpoints {

    private static final int LIVE_WITHIN_SECONDS = 1;

    private final Components components;
    private final ContextWatch context;
    private final KeyEndpoint keyEndpoint;
    private final RoomsEndpoint roomsEndpoint;

    AdminEndpoints(Components components, ContextWatch context) {
        this.components = components;
        this.context = context;
        this.keyEndpoint = new KeyEndpoint(components.admission().auth());
        this.roomsEndpoint = new RoomsEndpoint(components.admission().limits());
    }

    /** @param reload applied by POST /reload */
    AdminEndpointTable table(BooleanSupplier started, BooleanSupplier draining, AdminEndpointTable.Change reload) {
        Set<String> required = components.config().config().admin().readyRequires().stream()
                .map(Kebab::ofConstant)
                .collect(Collectors.toSet());
        Probes probes = new Probes(
                this::live,
                started,
                draining,
                components.serving().state()::reason,
                Map.of(
                        "ledger",
                        this::ledger,
                        "keys",
                        this::keys,
                        "rooms",
                        this::rooms,
                        "certificates",
                        this::certificates,
                        "context",
                        this::contextDrifts),
                required);
        return new AdminEndpointTable(
                probes,
                Map.of(
                        "/", new LivePage(),
                        "/live", components.sequence().add(new LiveFeed(source(probes))),
                        "/metrics", this::metrics,
                        "/context", AdminEndpoint.document(context::read),
                        "/failures",
                                AdminEndpoint.document(components.observation().failures()::all),
                        "/keys", AdminEndpoint.document(keyEndpoint::issuers),
                        "/rooms", AdminEndpoint.document(roomsEndpoint::rooms),
                        "/flamegraph", new FlamePage(new Profilers(), InstantSource.system())),
                Map.of(
                        "DELETE /keys",
                        keyEndpoint::drop,
                        "POST /keys",
                        keyEndpoint::refresh,
                        "PATCH /rooms",
                        roomsEndpoint::change,
                        "POST /reload",
                        reload));
    }

    private LiveSource source(Probes probes) {
        return new LiveSource(
                components.observation().registry(),
                components.observation().times().histogram(),
                components.observation().spends().checks(),
                components.admission().auth().verifications(),
                Map.of(
                        "about", AdminEndpoints::about,
                        "health", probes::report,
                        "rooms", roomsEndpoint::busiest,
                        "context", context::last));
    }

    private static Map<String, Object> about() {
        return Map.of(
                "version",
                Version.OURS,
                "java",
                Runtime.version().toString(),
                "up",
                ManagementFactory.getRuntimeMXBean().getUptime() / 1000);
    }

    /** Completes with true once every event loop has run a task, or with false after one second. */
    private CompletionStage<Boolean> live() {
        List<EventExecutor> loops = new ArrayList<>();
        components.network().loops().forEach(loops::add);
        AtomicInteger left = new AtomicInteger(loops.size());
        CompletableFuture<Boolean> ran = new CompletableFuture<>();
        loops.forEach(loop -> loop.execute(() -> {
            if (left.decrementAndGet() == 0) {
                ran.complete(true);
            }
        }));
        return ran.completeOnTimeout(false, LIVE_WITHIN_SECONDS, TimeUnit.SECONDS);
    }

    private HealthSource ledger() {
        LedgerHealth health = components.admission().ledger().health();
        return new HealthSource(health.healthy(), health.stores());
    }

    private HealthSource keys() {
        Map<String, String> issuers = new LinkedHashMap<>();
        for (IssuerStatus status : components.admission().auth().issuers()) {
            long good = status.keys().stream().filter(k -> !k.dropped()).count();
            String state = good + (good == 1 ? " key" : " keys");
            String skipped =
                    status.skipped().isEmpty() ? "" : "; " + status.skipped().size() + " skipped entries";
            String problem = status.problem().isEmpty() ? "" : "; " + status.problem();
            issuers.put(status.issuer(), state + skipped + problem);
        }
        boolean none = components.config().config().privacyPass().issuers().isEmpty();
        return new HealthSource(none || components.admission().auth().hasKeys(), issuers);
    }

    private HealthSource rooms() {
        Map<String, Object> details =
                new LinkedHashMap<>(components.admission().limits().stores());
        details.put("rooms", components.admission().limits().state().size());
        return new HealthSource(components.admission().limits().healthy(), details);
    }

    /** Lists expired certificates. Whether load balancers and clients reject them is not known here. */
    private HealthSource certificates() {
        Map<String, String> expired = components.observation().certificates().expired();
        return new HealthSource(expired.isEmpty(), expired);
    }

    /** Lists context items that differ from the wanted value, with advice. A drift is never a reason to send traffic elsewhere. */
    private HealthSource contextDrifts() {
        Map<String, String> drifts = new LinkedHashMap<>();
        for (ContextItem item : context.last()) {
            if (item.drifted()) {
                drifts.put(item.item(), item.found() + " (wanted: " + item.wanted() + "). " + item.advice());
            }
        }
        return new HealthSource(drifts.isEmpty(), drifts);
    }

    private void metrics(AdminExchange exchange) throws IOException {
        String type = exchange.field("Accept").contains("application/openmetrics-text")
                ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                : "text/plain; version=0.0.4; charset=utf-8";
        exchange.send(200, type, components.observation().registry().scrape(type));
    }
}
