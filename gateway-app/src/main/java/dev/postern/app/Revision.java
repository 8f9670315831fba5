package dev.postern.app;

import dev.postern.app.config.read.Loaded;
import dev.postern.core.connection.AcceptLimits;
import dev.postern.core.route.Policy;
import dev.postern.core.server.ListenerPlan;
import dev.postern.core.server.ListenerSettings;
import dev.postern.ratelimit.handler.Gates;
import java.util.List;

/**
 * What comes of one configuration and can take the place of what came of another: all that can fail is done, nothing of it is in force.
 *
 * @param plan sockets that listen already, and accept nobody yet
 */
record Revision(
        Loaded loaded,
        Policy policy,
        Gates gates,
        AcceptLimits accept,
        List<ListenerSettings> listeners,
        ListenerPlan plan) {}
