package dev.postern.app.mapping;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.app.config.type.AddressFiles;
import dev.postern.core.config.ByteRate;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.ErrorPages;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.route.InternalEndpoint;
import dev.postern.core.route.MinBodyRate;
import dev.postern.core.route.Route;
import dev.postern.core.route.RouteTable;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.route.SplitCookie;
import dev.postern.core.route.UpstreamSplit;
import dev.postern.core.route.transform.TextTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Maps the configuration to routes and forward policies. */
public final class RouteMapping {

    private final GatewayConfig config;

    public RouteMapping(GatewayConfig config) {
        this.config = config;
    }

    /** Returns a routing snapshot without upstreams and limits; reads the pages and address lists. */
    public RoutingSnapshot policy(Map<String, InternalEndpoint> internalEndpoints) {
        List<Route> routes = new ArrayList<>();
        config.routes().forEach(route -> routes.add(route(route)));
        Map<String, ForwardPolicy> forwards = new HashMap<>();
        config.forward()
                .forEach((name, settings) -> forwards.put(name, ForwardPolicy.of(name, settings, config.limits())));
        return new RoutingSnapshot(new RouteTable(routes), forwards, internalEndpoints);
    }

    private Route route(RouteConfig route) {
        ByteRate pace = route.minBodyRate() == null ? config.limits().minBodyRate() : route.minBodyRate();
        return new Route(
                route.name(),
                route.host(),
                route.path(),
                route.upstream() == null ? "" : route.upstream(),
                route.token(),
                route.rateLimit(),
                route.preflight(),
                route.timeout(),
                route.requestBody() == null
                        ? config.limits().requestBody().bytes()
                        : route.requestBody().bytes(),
                challenge(route.challenge()),
                TransformMapping.of(route),
                MinBodyRate.of(pace.bytesPerSecond()),
                AddressFiles.rule(route.allow(), route.deny()),
                route.match().conditions(),
                split(route),
                pages(route.errorPages()));
    }

    private static @Nullable UpstreamSplit split(RouteConfig route) {
        List<UpstreamSplit.Part> parts = route.upstreams().stream()
                .map(part -> new UpstreamSplit.Part(part.name(), part.weight()))
                .toList();
        String cookie = route.stickyCookie();
        return parts.isEmpty() ? null : new UpstreamSplit(parts, cookie == null ? null : new SplitCookie(cookie));
    }

    private static @Nullable ErrorPages pages(Map<String, String> files) {
        Map<String, TextTemplate> html = new HashMap<>();
        files.forEach((key, file) -> {
            try {
                html.put(key, ErrorPages.page(Files.readString(Path.of(file))));
            } catch (IOException e) {
                throw new IllegalStateException("error-pages." + key + ": " + file + " (expected: HTML in UTF-8)", e);
            }
        });
        return html.isEmpty() ? null : new ErrorPages(html);
    }

    private static ChallengeRule challenge(RouteConfig.Challenge challenge) {
        return new ChallengeRule(challenge.issuers(), String.join(",", challenge.originNames()), challenge.context());
    }
}
