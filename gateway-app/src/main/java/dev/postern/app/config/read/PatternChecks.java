package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.HeadersConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.core.config.ForeignPattern;
import dev.postern.ratelimit.store.FairQueueSettings;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Warns of values that may be patterns of another program, where the gateway reads each character literally, and of placeholders that have no
 * value.
 */
final class PatternChecks {

    private final GatewayConfig config;
    private final Findings findings;

    PatternChecks(GatewayConfig config, Findings findings) {
        this.config = config;
        this.findings = findings;
    }

    void run() {
        for (int i = 0; i < config.routes().size(); i++) {
            RouteConfig route = config.routes().get(i);
            String at = "routes/" + i + "/";
            warn(at + "host", route.host(), ForeignPattern.ofHost(route.host()));
            warn(at + "path", route.path(), ForeignPattern.ofPath(route.path()));
            @Nullable String rewrite = route.rewrite();
            if (rewrite != null) {
                warn(at + "rewrite", rewrite, ForeignPattern.ofRewrite(rewrite, route.path()));
            }
            if (route.redirect() != null) {
                templates(at + "redirect/", Map.of("to", route.redirect().to()));
            }
            HeadersConfig headers = route.headers();
            templates(at + "headers/set/", headers.set());
            templates(at + "headers/add/", headers.add());
            templates(at + "headers/response/set/", headers.response().set());
            templates(at + "headers/response/add/", headers.response().add());
        }
        config.forward().forEach((name, policy) -> hosts("forward/" + name + "/allow-names", policy.allowNames()));
        for (int i = 0; i < config.rateLimits().size(); i++) {
            @Nullable FairQueueSettings queue = config.rateLimits().get(i).fairQueue();
            if (queue != null) {
                paths("rate-limits/" + i + "/fair-queue/bypass", queue.bypass());
            }
        }
    }

    private void templates(String at, Map<String, String> templates) {
        boolean certificates = config.listeners().stream()
                .anyMatch(listener -> listener.tls() != null && listener.tls().clientCaFile() != null);
        templates.forEach((name, text) -> {
            warn(at + name, text, ForeignPattern.ofTemplate(text));
            if (!certificates && text.contains("{client-cert-")) {
                findings.warning(
                        at + name, text + ": empty, since no listener requires a certificate by tls.client-ca-file");
            }
        });
    }

    private void hosts(String at, List<String> hosts) {
        for (int i = 0; i < hosts.size(); i++) {
            warn(at + "/" + i, hosts.get(i), ForeignPattern.ofHost(hosts.get(i)));
        }
    }

    private void paths(String at, List<String> entries) {
        for (int i = 0; i < entries.size(); i++) {
            String entry = entries.get(i);
            if (entry.startsWith("/")) {
                warn(at + "/" + i, entry, ForeignPattern.ofPath(entry));
            }
        }
    }

    private void warn(String at, String value, @Nullable ForeignPattern found) {
        if (found != null) {
            findings.warning(at, value + ": " + found.text());
        }
    }
}
