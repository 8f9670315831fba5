package dev.postern.app.mapping;

import dev.postern.app.config.UpstreamConfig;
import dev.postern.core.config.Kebab;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.http.Protocol;
import dev.postern.core.http2.client.Http2UpstreamConnection;
import dev.postern.core.tls.ClientTls;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.transport.ReceiveWindows;
import dev.postern.core.upstream.connect.Connector;
import dev.postern.core.upstream.endpoint.ExtensionBalance;
import dev.postern.core.upstream.endpoint.HashPolicy;
import dev.postern.core.upstream.endpoint.HostRule;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import org.jspecify.annotations.Nullable;

/** Maps the configuration to the settings of upstreams. */
public final class UpstreamMapping {

    private final SocketMapping sockets;
    private final TlsEngine engine;
    private final ExtensionLoader loader;

    /** @param loader provides the endpoint selection rules of extensions */
    public UpstreamMapping(SocketMapping sockets, TlsEngine engine, ExtensionLoader loader) {
        this.sockets = sockets;
        this.engine = engine;
        this.loader = loader;
    }

    /** @param connections maximum of the upstream; at most the number that its pool is configured for */
    public UpstreamSettings settings(UpstreamConfig upstream, int connections) {
        return new UpstreamSettings(
                upstream.name(),
                upstream.endpoints(),
                balance(upstream),
                upstream.timeouts(),
                upstream.pool().with(connections),
                upstream.retry(),
                upstream.health(),
                upstream.breaker(),
                sockets.upstreamSockets(upstream.congestionControl()),
                upstream.proxyProtocol(),
                upstream.expect(),
                HostRule.of(upstream.host()));
    }

    private UpstreamSettings.Balance balance(UpstreamConfig upstream) {
        String name = upstream.balance();
        if (UpstreamConfig.BALANCES.contains(name)) {
            return new UpstreamSettings.Balance(
                    UpstreamSettings.Balance.Kind.valueOf(Kebab.environment(name)), HashPolicy.of(upstream.hashBy()));
        }
        ExtensionBalance rule = loader.endpointRule(name);
        if (rule == null) {
            throw new IllegalStateException("upstreams." + upstream.name() + ".balance: " + name + " (expected: "
                    + String.join(" | ", UpstreamConfig.BALANCES) + " | the name of an extension)");
        }
        return UpstreamSettings.Balance.by(rule);
    }

    /**
     * Returns the connector of the upstream.
     *
     * @param windows windows of responses over HTTP/2
     */
    public Connector connecting(Connector connector, ReceiveWindows windows, UpstreamConfig upstream) {
        return connector
                .with(tls(upstream))
                .multiplexed(
                        multiplexed(upstream) ? Http2UpstreamConnection.factory(windows, connector.ticker()) : null);
    }

    private static boolean multiplexed(UpstreamConfig upstream) {
        return upstream.protocol() == Protocol.H2;
    }

    /** Returns the TLS settings of the upstream; null for plain text. */
    public @Nullable ClientTls tls(UpstreamConfig upstream) {
        ClientTls.Settings tls = upstream.tls();
        try {
            return tls == null
                    ? null
                    : new ClientTls(
                            engine,
                            tls,
                            HostRule.of(upstream.host()).serverName(),
                            upstream.protocol().required());
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("upstreams: " + upstream.name() + ": tls: " + e.getMessage(), e);
        }
    }
}
