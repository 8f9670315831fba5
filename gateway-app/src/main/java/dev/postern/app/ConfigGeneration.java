package dev.postern.app;

import dev.postern.app.config.read.LoadedConfig;
import dev.postern.core.connection.AcceptLimits;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.server.ListenerSettings;
import dev.postern.core.server.ListenerUpdate;
import dev.postern.ratelimit.handler.RateLimiters;
import java.util.List;

/**
 * What comes of one configuration and can take the place of what came of another: all that can fail is done, nothing of it is in force.
 *
 * @param update sockets that listen already, and accept nobody yet
 */
record ConfigGeneration(
        LoadedConfig config,
        RoutingSnapshot snapshot,
        RateLimiters limiters,
        AcceptLimits accept,
        List<ListenerSettings> listeners,
        ListenerUpdate update) {}
