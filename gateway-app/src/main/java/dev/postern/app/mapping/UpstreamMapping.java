package dev.postern.app.mapping;

import dev.postern.app.config.UpstreamConfig;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.http2.client.Http2UpstreamConnection;
import dev.postern.core.tls.ClientTls;
import dev.postern.core.upstream.connect.Connector;
import dev.postern.core.upstream.endpoint.EndpointBalancer;
import dev.postern.core.upstream.endpoint.HashPolicy;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import io.netty.handler.ssl.ApplicationProtocolNames;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Maps the configuration to the settings of upstreams. */
public final class UpstreamMapping {

    private final Path base;
    private final SocketMapping sockets;
    private final ExtensionLoader loader;

    /**
     * @param base the directory that relative file names start from
     * @param loader provides the endpoint selection rules of extensions
     */
    public UpstreamMapping(Path base, SocketMapping sockets, ExtensionLoader loader) {
        this.base = base;
        this.sockets = sockets;
        this.loader = loader;
    }

    /** @param connections maximum of the upstream; at most the number that its pool is configured for */
    public UpstreamSettings settings(UpstreamConfig upstream, int connections) {
        UpstreamConfig.Pool pool = upstream.pool();
        return new UpstreamSettings(
                upstream.name(),
                upstream.endpoints(),
                balance(upstream),
                new UpstreamSettings.Timeouts(
                        upstream.timeouts().connect(),
                        upstream.timeouts().firstByte(),
                        upstream.timeouts().idle()),
                new UpstreamSettings.Pool(
                        pool.keepAlive(),
                        connections,
                        pool.maxPending(),
                        pool.idle(),
                        pool.learnIdle(),
                        pool.maxLifetime(),
                        pool.requests(),
                        pool.maxStreams()),
                new UpstreamSettings.Retry(
                        upstream.retry().budget().fraction(), upstream.retry().perTry()),
                health(upstream.health()),
                breaker(upstream.breaker()),
                sockets.sockets(upstream.congestionControl()),
                UpstreamSettings.ProxyProtocol.valueOf(upstream.proxyProtocol().name()));
    }

    private UpstreamSettings.Balance balance(UpstreamConfig upstream) {
        String name = upstream.balance();
        if (UpstreamConfig.BALANCES.contains(name)) {
            return new UpstreamSettings.Balance(
                    UpstreamSettings.Balance.Kind.valueOf(name.replace('-', '_').toUpperCase(Locale.ROOT)),
                    hashBy(upstream.hashBy()));
        }
        EndpointBalancer rule = loader.endpointRule(name);
        if (rule == null) {
            throw new IllegalStateException("upstreams." + upstream.name() + ".balance: " + name + " (expected: "
                    + String.join(" | ", UpstreamConfig.BALANCES) + " | one of " + loader.endpointRules() + ")");
        }
        return UpstreamSettings.Balance.by(rule);
    }

    private static UpstreamSettings.Health health(UpstreamConfig.Health health) {
        UpstreamConfig.Check check = health.check();
        return new UpstreamSettings.Health(
                health.failures(),
                health.ejection(),
                health.maxEjection(),
                health.panic().fraction(),
                health.slowStart(),
                check.path() == null
                        ? null
                        : new UpstreamSettings.Check(
                                check.path(),
                                check.host(),
                                check.interval(),
                                check.timeout(),
                                check.rise(),
                                check.fall()));
    }

    private static UpstreamSettings.@Nullable Breaker breaker(UpstreamConfig.Breaker breaker) {
        return breaker.enabled()
                ? new UpstreamSettings.Breaker(
                        breaker.failureRateThreshold().fraction(),
                        breaker.slidingWindowSize(),
                        breaker.minimumNumberOfCalls(),
                        breaker.waitDurationInOpenState(),
                        breaker.permittedNumberOfCallsInHalfOpenState())
                : null;
    }

    private static HashPolicy hashBy(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        return new HashPolicy(
                HashPolicy.Kind.valueOf(kind.replace('-', '_').toUpperCase(Locale.ROOT)),
                colon < 0 ? "" : text.substring(colon + 1));
    }

    /** Returns the connector of the upstream. */
    public Connector connecting(Connector connector, UpstreamConfig upstream) {
        return connector
                .with(tls(upstream))
                .multiplexed(multiplexed(upstream) ? Http2UpstreamConnection.factory() : null);
    }

    private static boolean multiplexed(UpstreamConfig upstream) {
        return upstream.protocol() == UpstreamConfig.Protocol.H2;
    }

    /** Returns the TLS settings of the upstream; null for plain text. */
    public @Nullable ClientTls tls(UpstreamConfig upstream) {
        UpstreamConfig.Tls tls = upstream.tls();
        try {
            return tls == null
                    ? null
                    : new ClientTls(
                            tls.serverName(),
                            tls.caFile() == null ? null : base.resolve(tls.caFile()),
                            multiplexed(upstream) ? ApplicationProtocolNames.HTTP_2 : "");
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("upstreams: " + upstream.name() + ": tls: " + e.getMessage(), e);
        }
    }
}
