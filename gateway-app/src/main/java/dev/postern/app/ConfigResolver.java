package dev.postern.app;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.UpstreamConfig;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.mapping.DescriptorShares;
import dev.postern.app.mapping.ListenerMapping;
import dev.postern.app.mapping.RouteMapping;
import dev.postern.app.mapping.UpstreamMapping;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.route.InternalEndpoint;
import dev.postern.core.transport.ReceiveWindows;
import dev.postern.ratelimit.RateLimits;
import java.util.HashMap;
import java.util.Map;

/**
 * Resolves configurations: maps them to the settings of components, and reads their certificates, keys and pages. Nothing is opened or
 * changed.
 *
 * @param shares limits pools and client connections in addition to the configuration
 * @param windows windows of responses over HTTP/2
 * @param rooms the internal endpoint of waiting rooms
 */
record ConfigResolver(
        Components.Network network,
        DescriptorShares shares,
        ReceiveWindows windows,
        ExtensionLoader loader,
        InternalEndpoint rooms) {

    /** Throws {@link IllegalStateException} or {@link IllegalArgumentException} with the reason why the configuration cannot be applied. */
    ResolvedConfig resolve(LoadedConfig next) {
        ListenerMapping listeners = new ListenerMapping(next.config(), network.settings(), network.tls());
        return new ResolvedConfig(
                new RouteMapping(next.config())
                        .policy(Map.of(InternalEndpoint.PREFIX + RateLimits.ROOMS_PATH, rooms))
                        .with(loader.pages()),
                upstreams(next),
                next.config().listeners().stream().map(listeners::listener).toList());
    }

    private Map<String, UpstreamSpec> upstreams(LoadedConfig next) {
        GatewayConfig config = next.config();
        UpstreamMapping mapping =
                new UpstreamMapping(network.settings(), network.tls().engine(), loader);
        Map<String, UpstreamSpec> byName = new HashMap<>();
        for (UpstreamConfig upstream : config.upstreams()) {
            int connections = shares.pool(config, upstream.pool().maxConnections());
            byName.put(
                    upstream.name(),
                    new UpstreamSpec(
                            mapping.settings(upstream, connections),
                            mapping.connecting(network.connector(), windows, upstream)));
        }
        return byName;
    }
}
