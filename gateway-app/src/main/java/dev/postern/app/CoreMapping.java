package dev.postern.app;

import dev.postern.app.config.ForwardConfig;
import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.Http2Config;
import dev.postern.app.config.LimitsConfig;
import dev.postern.app.config.ListenerConfig;
import dev.postern.app.config.OverloadConfig;
import dev.postern.app.config.RouteConfig;
import dev.postern.app.config.TransportConfig;
import dev.postern.app.config.UpstreamConfig;
import dev.postern.app.config.type.HostPort;
import dev.postern.app.config.type.Rate;
import dev.postern.core.accept.AcceptLimits;
import dev.postern.core.extension.Extensions;
import dev.postern.core.http1.Http1Limits;
import dev.postern.core.http2.Http2Limits;
import dev.postern.core.lifecycle.ListenerSettings;
import dev.postern.core.lifecycle.Protocol;
import dev.postern.core.overload.OverloadSettings;
import dev.postern.core.overload.Threshold;
import dev.postern.core.pace.Gcra;
import dev.postern.core.route.ChallengeRule;
import dev.postern.core.route.Cidrs;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.route.Listener;
import dev.postern.core.route.OwnPath;
import dev.postern.core.route.Policy;
import dev.postern.core.route.Route;
import dev.postern.core.route.RouteTable;
import dev.postern.core.spi.EndpointRule;
import dev.postern.core.tls.ClientTls;
import dev.postern.core.tls.KeyPairFiles;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.transport.SocketSettings;
import dev.postern.core.transport.Transport;
import dev.postern.core.upstream.HashBy;
import dev.postern.core.upstream.UpstreamSettings;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import io.netty.resolver.dns.DnsServerAddressStreamProviders;
import io.netty.resolver.dns.SequentialDnsServerAddressStreamProvider;
import io.netty.util.internal.PlatformDependent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the configuration means to core: its own settings, made of ours. */
final class CoreMapping {

    private static final String SYSTEM = "system";

    private final GatewayConfig config;
    private final Path base;
    private final Extensions extensions;
    private final ByteBufAllocator allocator;

    /** @param base the directory that relative file names start from */
    CoreMapping(GatewayConfig config, Path base, Extensions extensions) {
        this.config = config;
        this.base = base;
        this.extensions = extensions;
        this.allocator = allocator(config.transport().allocator());
    }

    ByteBufAllocator allocator() {
        return allocator;
    }

    /** Asked for the addresses of names, each after the one before it failed. */
    DnsServerAddressStreamProvider nameServers() {
        List<HostPort> servers = config.transport().nameServers();
        return servers.isEmpty()
                ? DnsServerAddressStreamProviders.platformDefault()
                : new SequentialDnsServerAddressStreamProvider(
                        servers.stream().map(HostPort::resolve).toList());
    }

    Transport.Kind transport() {
        return switch (config.transport().kind()) {
            case EPOLL -> Transport.Kind.EPOLL;
            case NIO -> Transport.Kind.NIO;
            case AUTO, IO_URING -> Transport.Kind.AUTO; // io-uring is refused when the configuration is read
        };
    }

    /** @param own what overrides the transport's congestion control, or null */
    SocketSettings sockets(@Nullable String own) {
        String name = own == null ? config.transport().congestionControl() : own;
        return new SocketSettings(config.transport().tcpNoDelay(), name.equals(SYSTEM) ? "" : name, allocator);
    }

    ListenerSettings listener(ListenerConfig listener) {
        return new ListenerSettings(
                new Listener(
                        listener.name(),
                        listener.mode() == ListenerConfig.Mode.FORWARD ? Listener.Mode.FORWARD : Listener.Mode.REVERSE,
                        orEmpty(listener.forward()),
                        orEmpty(listener.originName()),
                        Cidrs.of(listener.trustedProxies())),
                listener.address().resolve(),
                sockets(listener.congestionControl()),
                protocols(listener),
                limits(),
                http2(),
                listener.proxyProtocol() == ListenerConfig.ProxyProtocol.REQUIRED,
                tls(listener));
    }

    AcceptLimits accept() {
        LimitsConfig limits = config.limits();
        return new AcceptLimits(
                limits.connections(),
                limits.connectionsPerAddress(),
                limits.headTimeout().duration(),
                limits.writeIdleTimeout().duration(),
                (long) (config.overload().unsent().of() * PlatformDependent.maxDirectMemory()));
    }

    OverloadSettings overload() {
        OverloadConfig overload = config.overload();
        return new OverloadSettings(
                threshold(overload.heap()),
                threshold(overload.directMemory()),
                new Threshold(
                        overload.loopLag().shedAt().nanos() / 1e9,
                        overload.loopLag().until().nanos() / 1e9));
    }

    private static Threshold threshold(OverloadConfig.Memory memory) {
        return new Threshold(memory.shedAt().of(), memory.until().of());
    }

    private Http1Limits limits() {
        LimitsConfig limits = config.limits();
        return new Http1Limits(
                (int) limits.requestHead().bytes(),
                limits.discardBody().bytes(),
                limits.headTimeout().duration(),
                limits.bodyIdleTimeout().duration(),
                limits.keepAliveTimeout().duration(),
                limits.pipelineDepth());
    }

    private static Set<Protocol> protocols(ListenerConfig listener) {
        Set<Protocol> protocols = EnumSet.noneOf(Protocol.class);
        listener.protocols().forEach(p -> protocols.add(Protocol.valueOf(p.name())));
        return protocols;
    }

    private Http2Limits http2() {
        Http2Config http2 = config.http2();
        return new Http2Limits(
                http2.maxStreams(),
                (int) http2.streamWindow().bytes(),
                (int) http2.headerTable().bytes(),
                http2.continuations(),
                http2.windowTimeout().duration(),
                new Http2Limits.Rates(
                        pace(http2.resetBudget()), pace(http2.faultBudget()), pace(http2.controlBudget())));
    }

    private static Gcra pace(Rate rate) {
        return Gcra.of(rate.count(), rate.per().toNanos() / 1000, rate.count() - 1);
    }

    private @Nullable ServerTls tls(ListenerConfig listener) {
        ListenerConfig.Tls tls = listener.tls();
        try {
            return tls == null ? null : new ServerTls(tls(tls, alpn(listener)));
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("listeners: " + listener.name() + ": tls: " + e.getMessage(), e);
        }
    }

    private ServerTls.Settings tls(ListenerConfig.Tls tls, List<String> alpn) {
        return new ServerTls.Settings(
                tls.certificates().stream()
                        .map(c -> new KeyPairFiles(base.resolve(c.certificateFile()), base.resolve(c.privateKeyFile())))
                        .toList(),
                tls.clientCaFile() == null ? null : base.resolve(tls.clientCaFile()),
                tls.minVersion(),
                alpn,
                config.limits().headTimeout().duration());
    }

    /** TLS towards that upstream; null when it is asked for in plain text. */
    @Nullable
    ClientTls tls(UpstreamConfig upstream) {
        UpstreamConfig.Tls tls = upstream.tls();
        try {
            return tls == null
                    ? null
                    : new ClientTls(
                            tls.serverName(),
                            tls.caFile() == null ? null : base.resolve(tls.caFile()),
                            upstream.protocol() == UpstreamConfig.Protocol.H2 ? ApplicationProtocolNames.HTTP_2 : "");
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("upstreams: " + upstream.name() + ": tls: " + e.getMessage(), e);
        }
    }

    private static List<String> alpn(ListenerConfig listener) {
        if (!listener.protocols().contains(ListenerConfig.Protocol.H2)) {
            return List.of();
        }
        return listener.protocols().contains(ListenerConfig.Protocol.H1)
                ? List.of(ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1)
                : List.of(ApplicationProtocolNames.HTTP_2);
    }

    UpstreamSettings upstream(UpstreamConfig upstream) {
        UpstreamConfig.Pool pool = upstream.pool();
        return new UpstreamSettings(
                upstream.name(),
                upstream.endpoints(),
                balance(upstream),
                new UpstreamSettings.Timeouts(
                        upstream.timeouts().connect().duration(),
                        upstream.timeouts().firstByte().duration(),
                        upstream.timeouts().idle().duration()),
                new UpstreamSettings.Pool(
                        pool.keepAlive(),
                        pool.maxConnections(),
                        pool.maxPending(),
                        pool.idle().duration(),
                        pool.learnIdle(),
                        pool.life().duration(),
                        pool.requests(),
                        pool.maxStreams()),
                new UpstreamSettings.Retry(
                        upstream.retry().budget().of(),
                        upstream.retry().perTry().duration()),
                health(upstream.health()),
                breaker(upstream.breaker()),
                sockets(upstream.congestionControl()),
                UpstreamSettings.ProxyProtocol.valueOf(upstream.proxyProtocol().name()));
    }

    private UpstreamSettings.Balance balance(UpstreamConfig upstream) {
        String name = upstream.balance();
        if (UpstreamConfig.BALANCES.contains(name)) {
            return new UpstreamSettings.Balance(
                    UpstreamSettings.Balance.Kind.valueOf(name.replace('-', '_').toUpperCase(Locale.ROOT)),
                    hashBy(upstream.hashBy()));
        }
        EndpointRule rule = extensions.endpointRule(name);
        if (rule == null) {
            throw new IllegalStateException("upstreams." + upstream.name() + ".balance: " + name + " (expected: "
                    + String.join(" | ", UpstreamConfig.BALANCES) + " | one of " + extensions.endpointRules() + ")");
        }
        return UpstreamSettings.Balance.by(rule);
    }

    private static UpstreamSettings.Health health(UpstreamConfig.Health health) {
        UpstreamConfig.Check check = health.check();
        return new UpstreamSettings.Health(
                health.failures(),
                health.ejection().duration(),
                health.maxEjection().duration(),
                health.panic().of(),
                health.slowStart().duration(),
                check.path() == null
                        ? null
                        : new UpstreamSettings.Check(
                                check.path(),
                                check.host(),
                                check.interval().duration(),
                                check.timeout().duration(),
                                check.rise(),
                                check.fall()));
    }

    private static UpstreamSettings.@Nullable Breaker breaker(UpstreamConfig.Breaker breaker) {
        return breaker.enabled()
                ? new UpstreamSettings.Breaker(
                        breaker.failureRate().of(),
                        breaker.window().duration(),
                        breaker.leastCalls(),
                        breaker.open().duration(),
                        breaker.trials())
                : null;
    }

    private static HashBy hashBy(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? text : text.substring(0, colon);
        return new HashBy(
                HashBy.Kind.valueOf(kind.replace('-', '_').toUpperCase(Locale.ROOT)),
                colon < 0 ? "" : text.substring(colon + 1));
    }

    Policy policy(Map<String, OwnPath> ownPaths) {
        List<Route> routes = new ArrayList<>();
        config.routes().forEach(route -> routes.add(route(route)));
        Map<String, ForwardPolicy> forwards = new HashMap<>();
        config.forward().forEach((name, forward) -> forwards.put(name, forward(name, forward)));
        return new Policy(new RouteTable(routes), forwards, ownPaths, extensions.pages());
    }

    private Route route(RouteConfig route) {
        return new Route(
                route.host() + route.path(),
                route.host(),
                route.path(),
                route.upstream(),
                Route.Token.valueOf(route.token().name()),
                route.rateLimit(),
                route.preflight() == RouteConfig.Preflight.FORWARD ? Route.Preflight.FORWARD : Route.Preflight.REFUSE,
                route.timeout().duration(),
                route.requestBody() == null
                        ? config.limits().requestBody().bytes()
                        : route.requestBody().bytes(),
                challenge(route.challenge()),
                new TreatmentMapping(base).of(route));
    }

    private static ChallengeRule challenge(RouteConfig.Challenge challenge) {
        return new ChallengeRule(
                challenge.issuers(),
                String.join(",", challenge.originNames()),
                ChallengeRule.Context.valueOf(challenge.context().name()));
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
                config.limits().requestBody().bytes());
        return new ForwardPolicy(
                route,
                forward.allowPorts().stream().map(ForwardPolicy.PortRange::of).toList(),
                forward.allowNames(),
                Cidrs.of(forward.allowPrivate()),
                forward.tunnel().idle().duration(),
                forward.tunnel().life().duration(),
                forward.tunnel().perClient());
    }

    private static ByteBufAllocator allocator(TransportConfig.Allocator kind) {
        return switch (kind) {
            case AUTO -> ByteBufAllocator.DEFAULT;
            case ADAPTIVE -> new AdaptiveByteBufAllocator();
            case POOLED -> PooledByteBufAllocator.DEFAULT;
        };
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
