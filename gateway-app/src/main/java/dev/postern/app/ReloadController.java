package dev.postern.app;

import dev.postern.app.admin.AdminEndpointTable;
import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.config.read.Problem;
import dev.postern.app.config.read.SourceFiles;
import dev.postern.app.reload.ReloadSource;
import dev.postern.app.reload.Reloaded;
import dev.postern.app.reload.Reloaded.Result;
import dev.postern.app.reload.RestartRule;
import dev.postern.core.metrics.Meters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Controller of configuration reloads: applies each configuration whole or not at all. Thread-safe: one reload at a time, others wait. */
final class ReloadController {

    private static final Logger LOG = LoggerFactory.getLogger(ReloadController.class);

    private final ConfigApplier applier;
    private final ReloadSource source;
    private volatile SourceFiles sources;
    private final Map<Result, Counter> counts = new EnumMap<>(Result.class);
    private volatile boolean open;

    /** @param started the configuration that the process was started with */
    ReloadController(ConfigApplier applier, ReloadSource source, LoadedConfig started, MeterRegistry registry) {
        this.applier = applier;
        this.source = source;
        this.sources = started.sources();
        for (Result result : Result.values()) {
            counts.put(result, Meters.CONFIG_RELOAD.counter(registry, result.label()));
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

    /** Returns whether the configuration in force asks for reloads when its files change. */
    boolean watches() {
        return open && applier.config().watch();
    }

    /** Returns the files that were read last, whether they could be applied or not. */
    SourceFiles sources() {
        return sources;
    }

    /** Reads the configuration from its source again and applies it. */
    synchronized Reloaded reloadFile() {
        try {
            LoadedConfig next = source.load();
            sources = next.sources();
            return with(next);
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
            return Reloaded.not(Result.INVALID, texts(next.problems()));
        }
        GatewayConfig running = applier.config();
        List<Problem> problems = RestartRule.problems(running, next);
        if (!problems.isEmpty()) {
            return Reloaded.not(Result.REFUSED, texts(problems));
        }
        ConfigGeneration generation;
        try {
            generation = applier.prepare(next);
        } catch (IllegalStateException | IllegalArgumentException e) {
            return Reloaded.not(Result.REFUSED, List.of(String.valueOf(e.getMessage())));
        }
        applier.take(generation);
        next.warnings().forEach(warning -> LOG.warn("{}", warning));
        return Reloaded.applied(running, next.config());
    }

    private static List<String> texts(List<Problem> problems) {
        return problems.stream().map(Problem::toString).toList();
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
