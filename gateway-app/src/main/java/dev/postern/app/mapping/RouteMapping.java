package dev.postern.app.mapping;

import dev.postern.app.config.ForwardConfig;
import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.app.config.type.ByteRate;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.route.InternalEndpoint;
import dev.postern.core.route.MinBodyRate;
import dev.postern.core.route.Route;
import dev.postern.core.route.RouteTable;
import dev.postern.core.route.RoutingSnapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Maps the configuration to routes and forward rules. */
public final class RouteMapping {

    private final GatewayConfig config;
    private final Path base;

    /** @param base the directory that relative file names start from */
    public RouteMapping(GatewayConfig config, Path base) {
        this.config = config;
        this.base = base;
    }

    /** Returns a routing snapshot without upstreams and limits; reads the maintenance pages. */
    public RoutingSnapshot policy(Map<String, InternalEndpoint> internalEndpoints) {
        List<Route> routes = new ArrayList<>();
        config.routes().forEach(route -> routes.add(route(route)));
        Map<String, ForwardPolicy> forwards = new HashMap<>();
        config.forward().forEach((name, forward) -> forwards.put(name, forward(name, forward)));
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
                new TransformMapping(base).of(route),
                MinBodyRate.of(pace.bytesPerSecond()));
    }

    private static ChallengeRule challenge(RouteConfig.Challenge challenge) {
        return new ChallengeRule(challenge.issuers(), String.join(",", challenge.originNames()), challenge.context());
    }

    private ForwardPolicy forward(String name, ForwardConfig forward) {
        Route route = new Route(
                        "forward:" + name,
                        "*",
                        "/",
                        "",
                        forward.token() == ForwardConfig.Token.OFF ? Route.Token.OFF : Route.Token.REQUIRED,
                        forward.rateLimit(),
                        Route.Preflight.REFUSE,
                        Duration.ZERO,
                        config.limits().requestBody().bytes())
                .with(MinBodyRate.of(config.limits().minBodyRate().bytesPerSecond()));
        return new ForwardPolicy(
                route,
                ForwardPolicy.Ports.of(forward.allowPorts(), forward.udp().allowPorts()),
                forward.allowNames(),
                CidrSet.of(forward.allowPrivate()),
                forward.tunnel(),
                forward.udp());
    }
}
