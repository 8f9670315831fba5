package dev.postern.app;

import dev.postern.app.admin.AdminPages;
import dev.postern.app.admin.ContextItem;
import dev.postern.app.admin.Health;
import dev.postern.app.admin.HiddenContext;
import dev.postern.app.config.type.Kebab;
import dev.postern.auth.key.IssuerStatus;
import dev.postern.auth.spend.LedgerHealth;
import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** What the admin address shows of the assembled parts. Thread-safe; called by admin threads. */
final class OperatorPages {

    private static final int LIVE_WITHIN_SECONDS = 1;

    private final Parts parts;
    private final HiddenContext context;
    private final MultiGauge drift;
    private final KeyPage keyPage;
    private final RoomsPage roomsPage;

    OperatorPages(Parts parts) {
        this.parts = parts;
        this.context = new HiddenContext(parts.transport(), parts.sockets(), this::facts);
        this.keyPage = new KeyPage(parts.auth());
        this.roomsPage = new RoomsPage(parts.limits());
        this.drift = MultiGauge.builder(Meters.CONTEXT_DRIFT.meter())
                .description(Meters.CONTEXT_DRIFT.description())
                .register(parts.registry());
    }

    /** @param reload what POST /reload does */
    AdminPages pages(BooleanSupplier started, BooleanSupplier draining, AdminPages.Change reload) {
        return new AdminPages(
                this::live,
                started,
                draining,
                parts.shedding()::reason,
                Map.of("ledger", this::ledger, "keys", this::keys, "rooms", this::rooms),
                parts.loaded().config().admin().readyRequires().stream()
                        .map(Kebab::ofConstant)
                        .collect(Collectors.toSet()),
                this::scrape,
                Map.of("/context", context::report, "/keys", keyPage::issuers, "/rooms", roomsPage::rooms),
                Map.of("DELETE /keys", keyPage::drop, "PATCH /rooms", roomsPage::change, "POST /reload", reload));
    }

    /** Whether each event loop runs a task in time. */
    private boolean live() {
        List<EventExecutor> loops = new ArrayList<>();
        parts.loops().forEach(loops::add);
        CountDownLatch ran = new CountDownLatch(loops.size());
        try {
            loops.forEach(loop -> loop.execute(ran::countDown));
            return ran.await(LIVE_WITHIN_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private Health ledger() {
        LedgerHealth health = parts.ledger().health();
        return new Health(health.healthy(), health.stores());
    }

    private Health keys() {
        Map<String, String> issuers = new LinkedHashMap<>();
        for (IssuerStatus status : parts.auth().issuers()) {
            long good = status.keys().stream().filter(k -> !k.dropped()).count();
            String state = good + " keys";
            issuers.put(status.issuer(), status.problem().isEmpty() ? state : state + "; " + status.problem());
        }
        boolean none = parts.loaded().config().privacyPass().issuers().isEmpty();
        return new Health(none || parts.auth().hasKeys(), issuers);
    }

    private Health rooms() {
        return new Health(
                parts.limits().healthy(), Map.of("rooms", parts.limits().state().size()));
    }

    private AdminPages.Scrape scrape(String accept) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (ContextItem item : context.report()) {
            if (!item.wanted().isEmpty()) {
                rows.add(MultiGauge.Row.of(
                        Tags.of("item", item.item()), item.verdict().equals("drift") ? 1 : 0));
            }
        }
        drift.register(rows, true);
        boolean open = accept.contains("application/openmetrics-text");
        String type = open
                ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                : "text/plain; version=0.0.4; charset=utf-8";
        return new AdminPages.Scrape(type, parts.registry().scrape(type));
    }

    private Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("crypto.provider", parts.auth().provider().name());
        facts.put("crypto.provider-why", parts.auth().provider().why());
        facts.put("netty.allocator", parts.mapping().allocator().getClass().getSimpleName());
        facts.put("postern.version", Version.OURS);
        return facts;
    }
}
