package dev.postern.app.config.read;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.ListenerConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.app.config.UpstreamConfig;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.core.route.ForwardSettings;
import dev.postern.core.route.Route;
import dev.postern.ratelimit.store.RateLimitRule;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks names: each name that a key refers to must exist, and an element that no key names has no effect, which is a warning. */
final class ReferenceChecks {

    private final GatewayConfig config;
    private final Findings findings;
    private final Named upstreams;
    private final Named limits;
    private final Named issuers;
    private final Named policies;

    ReferenceChecks(GatewayConfig config, Findings findings) {
        this.config = config;
        this.findings = findings;
        this.upstreams = new Named(
                "upstreams",
                "an upstream",
                config.upstreams().stream().map(UpstreamConfig::name).toList(),
                List.of("routes[].upstream"));
        this.limits = new Named(
                "rate-limits",
                "a rate limit",
                config.rateLimits().stream().map(RateLimitRule::name).toList(),
                List.of("routes[].rate-limit", "forward.<name>.rate-limit"));
        this.issuers = new Named(
                "privacy-pass/issuers",
                "an issuer",
                config.privacyPass().issuers().stream()
                        .map(IssuerSettings::name)
                        .toList(),
                List.of("routes[].challenge.issuers"));
        this.policies = new Named("forward", "a policy", config.forward().keySet(), List.of("listeners[].forward"));
    }

    void run() {
        for (int i = 0; i < config.routes().size(); i++) {
            route("routes/" + i, config.routes().get(i));
        }
        config.forward().forEach(this::policy);
        for (int i = 0; i < config.listeners().size(); i++) {
            ListenerConfig listener = config.listeners().get(i);
            policies.refer("listeners/" + i + "/forward", listener.forward());
        }
        List.of(upstreams, limits, policies).forEach(Named::warnOfUnnamed);
        if (asksForTokens(config)) {
            // Without tokens the whole list has no effect.
            issuers.warnOfUnnamed();
        }
    }

    /** Returns whether a route or a forward policy asks for tokens. */
    static boolean asksForTokens(GatewayConfig config) {
        return config.routes().stream().anyMatch(r -> r.passes() && r.token() != Route.Token.OFF)
                || config.forward().values().stream().anyMatch(f -> f.token() != ForwardSettings.Token.OFF);
    }

    private void route(String path, RouteConfig route) {
        upstreams.refer(path + "/upstream", route.withoutUpstream() ? null : route.upstream());
        for (int i = 0; i < route.upstreams().size(); i++) {
            upstreams.refer(
                    path + "/upstreams/" + i + "/name", route.upstreams().get(i).name());
        }
        limits.refer(path + "/rate-limit", route.rateLimit());
        List<String> named = route.challenge().issuers();
        for (int i = 0; i < named.size(); i++) {
            issuers.refer(path + "/challenge/issuers/" + i, named.get(i));
        }
        if (named.isEmpty() && route.passes() && route.token() != Route.Token.OFF) {
            issuers.referToAll();
        }
    }

    private void policy(String name, ForwardSettings policy) {
        limits.refer("forward/" + name + "/rate-limit", policy.rateLimit());
        if (policy.token() != ForwardSettings.Token.OFF) {
            issuers.referToAll();
        }
    }

    /** Elements that other keys refer to by name. */
    private final class Named {

        private final String path;
        private final String subject;
        private final Collection<String> names;
        private final List<String> keys;
        private final Set<String> used = new HashSet<>();

        /**
         * @param path of the list or map of the elements
         * @param keys that name them
         */
        Named(String path, String subject, Collection<String> names, List<String> keys) {
            this.path = path;
            this.subject = subject;
            this.names = names;
            this.keys = keys;
        }

        /** Checks a name that the key at that path has; null for none. */
        void refer(String path, @Nullable String name) {
            if (name == null) {
                return;
            }
            used.add(name);
            if (!names.contains(name)) {
                String known = names.isEmpty()
                        ? "; there is none yet, add it to " + ConfigNode.dotted(this.path)
                        : ": " + String.join(", ", names) + SpellingSuggestion.hint(name, names);
                findings.problem(path, ShownText.line(name) + " (expected: the name of " + subject + known + ")");
            }
        }

        void referToAll() {
            used.addAll(names);
        }

        void warnOfUnnamed() {
            if (!names.containsAll(used)) {
                return; // one of the wrong names may be meant for it
            }
            int index = 0;
            for (String name : names) {
                if (!used.contains(name)) {
                    boolean list = names instanceof List;
                    findings.withoutEffect(
                            path + "/" + (list ? index + "/name" : name),
                            list ? name : "",
                            keys.stream().map(key -> key + ": " + name).toList(),
                            name);
                }
                index++;
            }
        }
    }
}
