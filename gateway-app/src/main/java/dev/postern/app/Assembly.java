package dev.postern.app;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.read.Loaded;
import dev.postern.app.log.Capsules;
import dev.postern.app.log.ExchangeLog;
import dev.postern.app.mapping.DescriptorShares;
import dev.postern.app.mapping.ListenerMapping;
import dev.postern.app.mapping.LogMapping;
import dev.postern.app.mapping.PassMapping;
import dev.postern.app.mapping.SocketMapping;
import dev.postern.app.mapping.TraceMapping;
import dev.postern.app.trace.TraceSettings;
import dev.postern.app.trace.Tracing;
import dev.postern.auth.Auth;
import dev.postern.auth.SpendLedgers;
import dev.postern.auth.handler.DoubleSpendHandler;
import dev.postern.auth.handler.SpendMeters;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.core.connection.Edge;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.extension.Extensions;
import dev.postern.core.headers.Via;
import dev.postern.core.http1.client.Http1Wire;
import dev.postern.core.http2.Http2Meters;
import dev.postern.core.metrics.LoopTimes;
import dev.postern.core.metrics.Meters;
import dev.postern.core.overload.OverloadWatch;
import dev.postern.core.overload.Shedding;
import dev.postern.core.pipeline.ExchangeMeters;
import dev.postern.core.pipeline.ServerPipeline;
import dev.postern.core.pipeline.StageTimes;
import dev.postern.core.pipeline.Stages;
import dev.postern.core.proxy.ForwardHandler;
import dev.postern.core.proxy.ForwardProxy;
import dev.postern.core.proxy.ReverseProxy;
import dev.postern.core.route.Policy;
import dev.postern.core.server.ProxyServer;
import dev.postern.core.spi.Stage;
import dev.postern.core.tls.CertificateExpiry;
import dev.postern.core.transport.ReverseNames;
import dev.postern.core.transport.SocketWatch;
import dev.postern.core.transport.Transport;
import dev.postern.core.transport.loop.Current;
import dev.postern.core.upstream.Connector;
import dev.postern.ratelimit.RateLimits;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsServerAddressStreamProvider;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** How the modules become one gateway, on one page: each part is opened once and given to those that need it. */
final class Assembly {

    private static final Via VIA = new Via("postern");

    private Assembly() {}

    /**
     * @param variation what stands at each stage in the end; the identity but in tests that take one out
     * @param lines takes the lines of the exchange log, several at once
     */
    static Parts assemble(Loaded loaded, UnaryOperator<Stages> variation, Consumer<List<String>> lines) {
        Closing closing = new Closing();
        try {
            return assemble(loaded, variation, lines, closing);
        } catch (RuntimeException e) {
            closing.close();
            throw e;
        }
    }

    private static Parts assemble(
            Loaded loaded, UnaryOperator<Stages> variation, Consumer<List<String>> lines, Closing closing) {
        GatewayConfig config = loaded.config();
        SocketMapping core = new SocketMapping(config.transport());
        PassMapping pass = new PassMapping(config, loaded.base());
        InstantSource clock = InstantSource.system();
        KeyRing ring = pass.ring();
        PrometheusMeterRegistry registry = Registry.open(closing);
        String folder = config.extensions().folder();
        Extensions extensions = closing.add(
                Extensions.load(folder == null ? null : loaded.base().resolve(folder), registry));

        // How: sockets, upstream connections and the way out.
        Transport transport = Transport.open(core.transport());
        EventLoopGroup loops = transport.eventLoops(config.transport().eventLoops());
        closing.add(() -> loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly());
        Registry.watch(registry, loops, core.allocator());
        SocketWatch sockets = new SocketWatch();
        DnsServerAddressStreamProvider nameServers = core.nameServers();
        DnsAddressResolverGroup names =
                closing.add(new DnsAddressResolverGroup(transport.datagramChannel(), nameServers));
        Connector connector = new Connector(transport, sockets, names, Http1Wire.opener());
        OwnAddresses own = new OwnAddresses();
        ForwardProxy out = new ForwardProxy(connector, new Connector.Place("forward", core.sockets(null)), VIA, own);
        ReverseProxy in = new ReverseProxy(VIA);
        Meters.TUNNELS.gauge(registry, () -> out.tunnels() + in.tunnels());

        // Who: tokens and the ledger that remembers them.
        SpendLedger ledger = closing.add(SpendLedgers.open(
                pass.ledger(),
                new LedgerEnvironment(config.instance().namespace(), registry, clock, Transport.loopsOf(loops))));
        Auth auth = closing.add(
                Auth.open(pass.auth(), ring, registry, clock, new Auth.Memory(ledger::epoch, ledger::knownSpent)));

        // When: rate limits and rooms.
        ReverseNames owners = closing.add(new ReverseNames(transport, nameServers));
        RateLimits limits = closing.add(
                RateLimits.open(pass.rateLimits(), new RateLimits.Environment(ring, registry, clock, loops, owners)));

        ExchangeLog log = closing.add(
                new ExchangeLog(LogMapping.of(config.log()), extensions.logFields(), clock, registry, lines));
        Capsules capsules = new Capsules(clock);
        @Nullable TraceSettings traced = TraceMapping.of(config.tracing(), loaded.base());
        @Nullable
        Tracing tracing = traced == null ? null : closing.add(new Tracing(traced, Version.OURS, registry, clock));
        StageTimes times = new StageTimes();
        SpendMeters spends = new SpendMeters(registry);
        for (LoopTimes histogram : List.of(times.times(), auth.verifications(), spends.checks(), spends.parts())) {
            registry.getPrometheusRegistry().register(new LoopHistogram(histogram));
        }
        Exchange.EndListener told = both(new ExchangeMeters(registry, times), both(log, capsules));
        Stages stages = new Stages(
                tracing == null ? told : both(told, tracing),
                tracing == null ? null : tracing.stage(),
                auth.decoding(),
                auth.verification(),
                limits.admission(),
                new DoubleSpendHandler(ledger, auth.challenger(), pass.ledger(), spends, auth.terms()),
                new ForwardHandler(in, out),
                extensions.at(Stage.Place.MATCHED),
                extensions.at(Stage.Place.ADMITTED));
        Current<Policy> policy = new Current<>(Policy.of(List.of()));
        ListenerMapping entrance = new ListenerMapping(config, loaded.base(), core);
        Shedding shedding = new Shedding();
        closing.add(
                new OverloadWatch(entrance.overload(), shedding, Transport.loopsOf(loops), core.allocator(), registry));
        DescriptorShares shares = DescriptorShares.ofThis();
        Edge edge = new Edge(entrance.accept(shares), shedding, registry);
        ServerPipeline pipeline = new ServerPipeline(variation.apply(stages), shedding);
        ProxyServer server =
                new ProxyServer(transport, loops, pipeline, policy, sockets, edge, new Http2Meters(registry));
        return new Parts(
                loaded,
                core,
                registry,
                times,
                transport,
                loops,
                sockets,
                extensions,
                connector,
                ledger,
                auth,
                limits,
                log,
                capsules,
                spends,
                edge,
                shares,
                new CertificateExpiry(clock, registry),
                server,
                shedding,
                policy,
                own,
                closing);
    }

    private static Exchange.EndListener both(Exchange.EndListener first, Exchange.EndListener second) {
        return exchange -> {
            first.ended(exchange);
            second.ended(exchange);
        };
    }
}
