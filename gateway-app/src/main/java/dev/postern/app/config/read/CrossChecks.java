package dev.postern.app.config.read;

import dev.postern.app.config.AdminConfig;
import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.ListenerConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.app.config.UpstreamConfig;
import dev.postern.auth.key.IssuerSettings;
import dev.postern.auth.spend.LedgerSettings;
import dev.postern.core.config.DurationText;
import dev.postern.core.config.HostPort;
import dev.postern.core.config.Share;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.LocalReply;
import dev.postern.core.overload.OverloadSettings;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.ForwardSettings;
import dev.postern.core.route.Route;
import dev.postern.core.transport.Transport;
import dev.postern.ratelimit.store.FairQueueSettings;
import dev.postern.ratelimit.store.RateLimitRule;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Checks conditions between several keys. */
final class CrossChecks {

    private final GatewayConfig config;
    private final Findings findings;

    CrossChecks(GatewayConfig config, Findings findings) {
        this.config = config;
        this.findings = findings;
    }

    void run() {
        names();
        addresses();
        routes();
        questions();
        overload();
        unixSockets();
        tokens();
        replicas();
    }

    private void names() {
        unique(
                "listeners",
                config.listeners().stream().map(ListenerConfig::name).toList());
        unique(
                "admin/tokens",
                config.admin().tokens().stream()
                        .map(AdminConfig.NamedToken::name)
                        .toList());
        unique(
                "upstreams",
                config.upstreams().stream().map(UpstreamConfig::name).toList());
        unique(
                "rate-limits",
                config.rateLimits().stream().map(RateLimitRule::name).toList());
        unique(
                "privacy-pass/issuers",
                config.privacyPass().issuers().stream()
                        .map(IssuerSettings::name)
                        .toList());
        for (int i = 0; i < config.upstreams().size(); i++) {
            if (config.upstreams().get(i).name().equals(Route.NO_UPSTREAM)) {
                findings.problem(
                        "upstreams/" + i + "/name", "none (expected: another name; in routes none means no upstream)");
            }
        }
        Map<String, Integer> seen = new HashMap<>();
        for (int i = 0; i < config.routes().size(); i++) {
            RouteConfig route = config.routes().get(i);
            if (findings.isStandIn("routes/" + i + "/host") || findings.isStandIn("routes/" + i + "/path")) {
                continue; // the operator gave another host or path
            }
            Integer first = seen.putIfAbsent(route.name(), i);
            if (first != null) {
                String text = route.name() + " (expected: once; routes." + first + " has it too)";
                findings.problem("routes/" + i, text);
            }
        }
    }

    private void unique(String list, List<String> names) {
        for (int i = 0; i < names.size(); i++) {
            int first = names.indexOf(names.get(i));
            if (first < i) {
                String other = ConfigNode.dotted(list) + "." + first;
                findings.problem(
                        list + "/" + i + "/name", names.get(i) + " (expected: another name; " + other + " has it too)");
            }
        }
    }

    private void addresses() {
        if (config.listeners().isEmpty()) {
            findings.problem("listeners", "nothing (expected: at least one listener)");
        }
        Map<String, HostPort> taken = new HashMap<>();
        taken.put("admin.address", config.admin().address());
        HostPort probes = config.admin().probesAddress();
        if (probes != null) {
            own("admin/probes-address", probes, taken);
        }
        for (int i = 0; i < config.listeners().size(); i++) {
            HostPort mine = config.listeners().get(i).address();
            String path = "listeners/" + i + "/address";
            own(path, mine, taken);
        }
    }

    private void own(String path, HostPort mine, Map<String, HostPort> taken) {
        taken.forEach((other, address) -> {
            boolean same = address.host().equals(mine.host()) || address.wildcard() || mine.wildcard();
            if (mine.port() != 0 && address.port() == mine.port() && same) {
                findings.problem(
                        path, mine + " (expected: an address of its own; " + other + " takes " + address + ")");
            }
        });
        taken.put(ConfigNode.dotted(path), mine);
    }

    private void overload() {
        OverloadSettings overload = config.overload();
        notMore("heap", overload.heap().shedAbove(), overload.heap().resumeBelow());
        notMore(
                "direct-memory",
                overload.directMemory().shedAbove(),
                overload.directMemory().resumeBelow());
        Duration shedAt = overload.loopLag().shedAbove();
        Duration until = overload.loopLag().resumeBelow();
        notMore(
                "loop-lag",
                (double) shedAt.toNanos(),
                DurationText.format(shedAt),
                (double) until.toNanos(),
                DurationText.format(until));
    }

    private void notMore(String resource, Share shedAt, Share until) {
        notMore(resource, shedAt.fraction(), shedAt, until.fraction(), until);
    }

    private void notMore(String resource, double shedAt, Object shedAtText, double end, Object untilText) {
        if (shedAt > 0 && end > shedAt) {
            String text = untilText + " (expected: not more than shed-above, which is " + shedAtText + ")";
            findings.problem("overload/" + resource + "/resume-below", text);
        }
    }

    private void routes() {
        for (int i = 0; i < config.routes().size(); i++) {
            challenge("routes/" + i + "/challenge", config.routes().get(i).challenge());
        }
        for (ListenerConfig listener : config.listeners()) {
            if (listener.mode() != ListenerInfo.Mode.FORWARD && config.routes().isEmpty()) {
                findings.problem("routes", "nothing (expected: at least one for listener " + listener.name() + ")");
            }
        }
    }

    /** Checks what depends on whether this gateway or another proxy forwards requests: all listeners but forward ones have all routes. */
    private void questions() {
        @Nullable ListenerConfig reverse = first(ListenerInfo.Mode.REVERSE);
        @Nullable ListenerConfig authorize = first(ListenerInfo.Mode.AUTHORIZE);
        for (int i = 0; i < config.routes().size(); i++) {
            RouteConfig route = config.routes().get(i);
            if (reverse != null && route.withoutUpstream()) {
                findings.problem(
                        "routes/" + i + "/upstream",
                        "none (expected: the name of an upstream, since listener " + reverse.name()
                                + " forwards requests of this route; only listeners in mode authorize need none)");
            }
            if (authorize != null) {
                permissions(i, route, authorize.name());
            }
        }
    }

    private @Nullable ListenerConfig first(ListenerInfo.Mode mode) {
        return IntStream.range(0, config.listeners().size())
                .filter(i -> !findings.isStandIn("listeners/" + i + "/mode"))
                .mapToObj(config.listeners()::get)
                .filter(listener -> listener.mode() == mode)
                .findFirst()
                .orElse(null);
    }

    /** Refuses responses that a proxy would take for permission. */
    private void permissions(int index, RouteConfig route, String listener) {
        String because = " (expected: 300 or above, since the proxy that asks listener " + listener
                + " lets a request pass at any status below)";
        RouteConfig.Respond respond = route.respond();
        if (respond != null && respond.status() < LocalReply.LEAST_REFUSAL) {
            findings.problem("routes/" + index + "/respond/status", respond.status() + because);
        }
        for (int i = 0; i < config.rateLimits().size(); i++) {
            RateLimitRule limit = config.rateLimits().get(i);
            FairQueueSettings room = limit.fairQueue();
            if (room != null
                    && limit.name().equals(route.rateLimit())
                    && room.waitingStatus() < LocalReply.LEAST_REFUSAL) {
                findings.problem("rate-limits/" + i + "/fair-queue/waiting-status", room.waitingStatus() + because);
            }
        }
    }

    private void unixSockets() {
        if (config.transport().kind() != Transport.Kind.NIO) {
            return;
        }
        for (int i = 0; i < config.upstreams().size(); i++) {
            List<String> endpoints = config.upstreams().get(i).endpoints();
            for (int k = 0; k < endpoints.size(); k++) {
                if (endpoints.get(k).startsWith("unix:")) {
                    findings.problem(
                            "upstreams/" + i + "/endpoints/" + k,
                            endpoints.get(k)
                                    + " (expected: host:port, since transport.kind is nio, which has no Unix sockets)");
                }
            }
        }
    }

    private void challenge(String path, RouteConfig.Challenge challenge) {
        LedgerSettings ledger = config.privacyPass().ledger();
        if (challenge.context() == ChallengeRule.Context.EMPTY
                && ledger.store() == LedgerSettings.Store.EMBEDDED
                && ledger.embedded().journal() == null
                && ledger.whenForgotten() != LedgerSettings.WhenForgotten.ACCEPT) {
            findings.problem(
                    path + "/context",
                    "empty (expected: a ledger that outlives this process, since such challenges can't change when it"
                            + " forgets; or privacy-pass.ledger.when-forgotten: accept)");
        }
    }

    private void tokens() {
        if (ReferenceChecks.asksForTokens(config)
                && config.privacyPass().issuers().isEmpty()) {
            findings.problem("privacy-pass/issuers", "nothing (expected: at least one, since tokens are asked for)");
        }
        boolean secrets = config.privacyPass().issuers().stream()
                .anyMatch(issuer -> !issuer.privateKeyFiles().isEmpty());
        int voprf = config.privacyPass().tokenTypes().indexOf(1);
        if (voprf >= 0 && !secrets) {
            findings.problem(
                    "privacy-pass/token-types/" + voprf,
                    "1 (expected: an issuer with private-key-files, without which tokens of that type cannot be verified)");
        }
        for (int i = 0; i < config.listeners().size(); i++) {
            ListenerConfig listener = config.listeners().get(i);
            ForwardSettings rules =
                    listener.forward() == null ? null : config.forward().get(listener.forward());
            if (rules != null
                    && rules.token() == ForwardSettings.Token.OFF
                    && !listener.address().loopback()) {
                findings.problem(
                        "forward/" + listener.forward() + "/token",
                        "off (expected: required, or a loopback address for listener " + listener.name()
                                + "; this would be an open proxy)");
            }
        }
    }

    private void replicas() {
        if (config.instance().replicas() == 1) {
            return;
        }
        String because = "since instance.replicas is " + config.instance().replicas() + ")";
        if (config.secrets().ringFile() == null) {
            findings.problem("secrets/ring-file", "nothing (expected: the ring that all replicas share, " + because);
        }
        if (ReferenceChecks.asksForTokens(config)
                && config.privacyPass().ledger().store() == LedgerSettings.Store.EMBEDDED) {
            findings.problem(
                    "privacy-pass/ledger/store", "embedded (expected: a store that all replicas share, " + because);
        }
        for (int i = 0; i < config.rateLimits().size(); i++) {
            if (config.rateLimits().get(i).store() == RateLimitRule.Store.EMBEDDED) {
                findings.problem(
                        "rate-limits/" + i + "/store",
                        "embedded (expected: a store that all replicas share, " + because);
            }
        }
    }
}
