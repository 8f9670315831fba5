package dev.postern.app;

import dev.postern.app.config.read.LoadedConfig;
import dev.postern.core.connection.AcceptLimits;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.server.ListenerSettings;
import dev.postern.core.server.ListenerUpdate;
import dev.postern.ratelimit.handler.RateLimiters;
import java.util.List;

/**
 * Generation of the components that depend on the configuration. Every step that can fail is done; nothing is in force yet.
 *
 * @param update sockets that already listen but do not accept connections yet
 */
record ConfigGeneration(
        LoadedConfig config,
        RoutingSnapshot snapshot,
        RateLimiters limiters,
        AcceptLimits accept,
        List<ListenerSettings> listeners,
        ListenerUpdate update) {}
