package dev.postern.app.mapping;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.core.config.ByteRate;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.route.InternalEndpoint;
import dev.postern.core.route.MinBodyRate;
import dev.postern.core.route.Route;
import dev.postern.core.route.RouteTable;
import dev.postern.core.route.RoutingSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Maps the configuration to routes and forward policies. */
public final class RouteMapping {

    private final GatewayConfig config;

    public RouteMapping(GatewayConfig config) {
        this.config = config;
    }

    /** Returns a routing snapshot without upstreams and limits; reads the maintenance pages. */
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
                route.host() + route.path(),
                route.host(),
                route.path(),
                route.upstream(),
                route.token(),
                route.rateLimit(),
                route.preflight(),
                route.timeout(),
                route.requestBody() == null
                        ? config.limits().requestBody().bytes()
                        : route.requestBody().bytes(),
                challenge(route.challenge()),
                TransformMapping.of(route),
                MinBodyRate.of(pace.bytesPerSecond()));
    }

    private static ChallengeRule challenge(RouteConfig.Challenge challenge) {
        return new ChallengeRule(challenge.issuers(), String.join(",", challenge.originNames()), challenge.context());
    }
}
