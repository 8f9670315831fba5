package dev.postern.app;

import dev.postern.app.admin.AdminToken;
import dev.postern.app.config.GatewayConfig;
import dev.postern.app.trace.Tracing;
import dev.postern.auth.AuthGeneration;
import dev.postern.core.connection.ConnectionSettings;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.server.ListenerUpdate;
import dev.postern.ratelimit.handler.RateLimiters;
import java.util.List;

/**
 * Generation of the components that depend on the configuration. Every step that can fail is done; nothing is in force yet.
 *
 * @param plan what changes between the generation in force and this one
 * @param update sockets that already listen but do not accept connections yet
 */
record ConfigGeneration(
        GatewayConfig config,
        ReloadPlan plan,
        RoutingSnapshot snapshot,
        RateLimiters limiters,
        AuthGeneration tokens,
        KeyRing ring,
        Tracing.Export traces,
        ConnectionSettings limits,
        List<AdminToken> adminTokens,
        ListenerUpdate update) {}
