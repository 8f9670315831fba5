package dev.postern.app.admin;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What tells others whether to send traffic here or to start the process anew; asked by an event loop, so nothing of it may block.
 *
 * @param live asks whether every event loop runs tasks, which may be known a second later
 * @param started whether start is over
 * @param draining whether the process is going down
 * @param shedding of what there is too little, so that load is shed; empty when there is enough
 * @param health parts by name; a sick one fails readiness only when {@code required} says so
 * @param required names of parts that readiness depends on
 */
public record Probes(
        Supplier<CompletionStage<Boolean>> live,
        BooleanSupplier started,
        BooleanSupplier draining,
        Supplier<String> shedding,
        Map<String, HealthSource.Source> health,
        Set<String> required) {

    /** Whether traffic should come here. */
    boolean ready() {
        return started.getAsBoolean()
                && !draining.getAsBoolean()
                && shedding.get().isEmpty()
                && health.entrySet().stream()
                        .allMatch(part -> !required.contains(part.getKey())
                                || part.getValue().source().healthy());
    }

    /** Pages by path, none of which blocks. */
    Map<String, AdminEndpoint> pages() {
        return Map.of(
                "/livez", exchange -> live.get().thenAccept(good -> say(exchange, good, "live")),
                "/startupz", exchange -> say(exchange, started.getAsBoolean(), "started"),
                "/readyz", exchange -> exchange.json(ready() ? 200 : 503, report()));
    }

    private static void say(AdminExchange exchange, boolean good, String subject) {
        exchange.send(good ? 200 : 503, "text/plain", (good ? subject : "not " + subject) + "\n");
    }

    /** What {@code /readyz} tells, in reading order. */
    public Map<String, Object> report() {
        Map<String, Object> parts = new LinkedHashMap<>();
        health.forEach((name, source) -> parts.put(name, source.source()));
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("ready", ready());
        report.put("started", started.getAsBoolean());
        report.put("draining", draining.getAsBoolean());
        report.put("shedding", shedding.get());
        report.put("parts", parts);
        return report;
    }
}
