package dev.postern.app.admin;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Probes for load balancers and orchestrators: whether to send traffic to the process, or to restart it. Called by an event loop, so no
 * supplier may block.
 *
 * @param live completes with whether every event loop runs tasks, up to a second later
 * @param started whether the start is complete
 * @param draining whether the process is stopping
 * @param shedding the exhausted resource that causes load shedding; empty for none
 * @param health components by name; an unhealthy one fails readiness only if {@code required} contains its name
 * @param required names of components that readiness depends on
 */
public record Probes(
        Supplier<CompletionStage<Boolean>> live,
        BooleanSupplier started,
        BooleanSupplier draining,
        Supplier<String> shedding,
        Map<String, HealthSource.Source> health,
        Set<String> required) {

    /** Returns whether the process accepts traffic. */
    boolean ready() {
        return started.getAsBoolean()
                && !draining.getAsBoolean()
                && shedding.get().isEmpty()
                && health.entrySet().stream()
                        .allMatch(part -> !required.contains(part.getKey())
                                || part.getValue().source().healthy());
    }

    /** Returns the endpoints by path; none of them blocks. */
    Map<String, AdminEndpoint> endpoints() {
        return Map.of(
                "/livez", exchange -> live.get().thenAccept(good -> say(exchange, good, "live")),
                "/startupz", exchange -> say(exchange, started.getAsBoolean(), "started"),
                "/readyz", exchange -> exchange.json(ready() ? 200 : 503, report()));
    }

    private static void say(AdminExchange exchange, boolean good, String subject) {
        exchange.send(good ? 200 : 503, "text/plain", (good ? subject : "not " + subject) + "\n");
    }

    /** Returns the response body of {@code /readyz}, in reading order. */
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
