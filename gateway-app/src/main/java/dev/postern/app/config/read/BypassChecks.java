package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.core.config.Spelling;
import dev.postern.ratelimit.store.FairQueueSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Warns of exceptions for every client: a waiting room in which none waits, and a closed route that all reach. */
final class BypassChecks {

    private final GatewayConfig config;
    private final Findings findings;

    BypassChecks(GatewayConfig config, Findings findings) {
        this.config = config;
        this.findings = findings;
    }

    void run() {
        for (int i = 0; i < config.rateLimits().size(); i++) {
            FairQueueSettings queue = config.rateLimits().get(i).fairQueue();
            if (queue != null) {
                room(
                        "rate-limits/" + i + "/fair-queue/bypass",
                        config.rateLimits().get(i).name(),
                        queue.bypass());
            }
        }
        for (int i = 0; i < config.routes().size(); i++) {
            RouteConfig.Maintenance maintenance = config.routes().get(i).maintenance();
            if (maintenance != null) {
                ranges(
                        "routes/" + i + "/maintenance/bypass",
                        maintenance.bypass(),
                        "reaches the closed route; name the addresses of those who test it");
            }
        }
    }

    private void room(String path, String limit, List<String> bypass) {
        List<String> ranges =
                bypass.stream().filter(entry -> !entry.startsWith("/")).toList();
        ranges(path, ranges, "passes without waiting; name the addresses that may");
        List<String> prefixes = bypass.stream()
                .filter(entry -> entry.startsWith("/"))
                .map(Spelling::path)
                .toList();
        List<RouteConfig> routes = config.routes().stream()
                .filter(route -> limit.equals(route.rateLimit()))
                .toList();
        for (int k = 0; k < bypass.size(); k++) {
            if (bypass.get(k).startsWith("/") && Spelling.path(bypass.get(k)).equals("/")) {
                findings.warning(path + "/" + k, "/: every request passes without waiting; name the paths that may");
                return;
            }
        }
        if (!routes.isEmpty()
                && routes.stream()
                        .allMatch(route ->
                                prefixes.stream().anyMatch(prefix -> RouteChecks.below(prefix, route.path())))) {
            findings.warning(
                    path, bypass + ": every route of " + limit + " passes without waiting; remove what need not");
        }
    }

    private void ranges(String path, List<String> ranges, String effect) {
        @Nullable String all = Ranges.everything(ranges);
        if (all != null) {
            findings.warning(path, ranges + ": every " + all + " client " + effect);
        }
    }
}
