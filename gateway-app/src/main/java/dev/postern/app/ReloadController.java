package dev.postern.app;

import dev.postern.app.admin.AdminEndpointTable;
import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.config.read.Problem;
import dev.postern.app.reload.Change;
import dev.postern.app.reload.Difference;
import dev.postern.app.reload.Reloaded;
import dev.postern.app.reload.Reloaded.Result;
import dev.postern.core.metrics.Meters;
import dev.postern.core.route.Route;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Controller of configuration reloads: applies each configuration whole or not at all. Thread-safe: one reload at a time, others wait. */
final class ReloadController {

    private static final Logger LOG = LoggerFactory.getLogger(ReloadController.class);
    private static final String RESTART = "changed (expected: a restart)";

    private final ConfigApplier applier;
    private final Gateway.Source source;
    private final boolean sessions;
    private final Map<Result, Counter> counts = new EnumMap<>(Result.class);
    private boolean open;

    ReloadController(ConfigApplier applier, Gateway.Source source, Components components) {
        this.applier = applier;
        this.source = source;
        this.sessions = components.config().config().routes().stream().anyMatch(ReloadController::usesSessions);
        for (Result result : Result.values()) {
            counts.put(
                    result,
                    Meters.CONFIG_RELOAD.counter(components.observation().registry(), result.label()));
        }
    }

    /** Allows reloads, once the first configuration is in force. */
    synchronized void open() {
        open = true;
    }

    /** Waits for a reload in progress and refuses later ones. */
    synchronized void close() {
        open = false;
    }

    /** Reads the configuration from its source again and applies it. */
    synchronized Reloaded reloadFile() {
        try {
            return with(source.load());
        } catch (IOException e) {
            return reported(Reloaded.not(Result.INVALID, List.of(String.valueOf(e.getMessage()))));
        }
    }

    synchronized Reloaded with(LoadedConfig next) {
        return reported(attempt(next));
    }

    /** Handles {@code POST /reload} of the admin address. */
    AdminEndpointTable.Changed reloadNow(List<String> words, String body) {
        Reloaded reloaded = reloadFile();
        int status = switch (reloaded.result()) {
            case OK -> 200;
            case REFUSED -> 409;
            case INVALID -> 422;
        };
        return new AdminEndpointTable.Changed(status, reloaded.toJson());
    }

    private Reloaded attempt(LoadedConfig next) {
        if (!open) {
            return Reloaded.not(Result.REFUSED, List.of("the gateway starts or ends (expected: one that serves)"));
        }
        if (!next.good()) {
            return Reloaded.not(
                    Result.INVALID,
                    next.problems().stream().map(Problem::toString).toList());
        }
        GatewayConfig previous = applier.config().config();
        List<Change> changes = Difference.between(previous, next.config());
        List<String> problems = restarts(next, changes);
        if (!problems.isEmpty()) {
            return Reloaded.not(Result.REFUSED, problems);
        }
        ConfigGeneration generation;
        try {
            generation = applier.prepare(next);
        } catch (IllegalStateException | IllegalArgumentException e) {
            return Reloaded.not(Result.REFUSED, List.of(String.valueOf(e.getMessage())));
        }
        applier.take(generation);
        next.warnings().forEach(warning -> LOG.warn("{}", warning));
        return Reloaded.applied(changes);
    }

    /** Returns the changes that need a restart. */
    private List<String> restarts(LoadedConfig next, List<Change> changes) {
        List<String> problems = new ArrayList<>();
        for (Change change : changes) {
            if (change.restart()) {
                problems.add(new Problem(next.origin(change.location()), change.key(), RESTART).toString());
            }
        }
        List<RouteConfig> routes = next.config().routes();
        for (int i = 0; i < routes.size() && !sessions; i++) {
            if (usesSessions(routes.get(i))) {
                String key = "routes." + i + ".token";
                problems.add(new Problem(
                                next.origin(key),
                                key,
                                "session (expected: a restart, since no route had it at the start)")
                        .toString());
            }
        }
        return problems;
    }

    private static boolean usesSessions(RouteConfig route) {
        return route.token() == Route.Token.SESSION;
    }

    private Reloaded reported(Reloaded reloaded) {
        Objects.requireNonNull(counts.get(reloaded.result())).increment();
        if (reloaded.result() != Result.OK) {
            LOG.warn("configuration: not taken, the one before stays in force whole: {}", reloaded.problems());
        } else if (reloaded.changes().isEmpty()) {
            LOG.info("configuration: read again; no key changed");
        } else {
            LOG.info("configuration: in force now, changed: {}", reloaded.changes());
        }
        return reloaded;
    }
}
