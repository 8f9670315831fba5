package dev.postern.app;

import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.log.ExchangeLog;
import dev.postern.app.log.FailureBuffer;
import dev.postern.app.mapping.AdmissionMapping;
import dev.postern.app.mapping.DescriptorShares;
import dev.postern.app.mapping.ListenerMapping;
import dev.postern.app.mapping.LogMapping;
import dev.postern.app.mapping.SocketMapping;
import dev.postern.app.mapping.TraceMapping;
import dev.postern.app.trace.TraceSettings;
import dev.postern.app.trace.Tracing;
import dev.postern.auth.Auth;
import dev.postern.auth.SpendLedgers;
import dev.postern.auth.handler.SpendMeters;
import dev.postern.auth.handler.SpendStage;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.core.connection.ConnectionHandlers;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.headers.Via;
import dev.postern.core.http1.client.Http1UpstreamConnection;
import dev.postern.core.http2.Http2Meters;
import dev.postern.core.metrics.Meters;
import dev.postern.core.metrics.StripedHistogram;
import dev.postern.core.overload.LoadShedState;
import dev.postern.core.overload.OverloadWatch;
import dev.postern.core.pipeline.ExchangeMeters;
import dev.postern.core.pipeline.ServerPipeline;
import dev.postern.core.pipeline.StageTimes;
import dev.postern.core.pipeline.Stages;
import dev.postern.core.proxy.ForwardProxy;
import dev.postern.core.proxy.ProxyStage;
import dev.postern.core.proxy.ReverseProxy;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.server.ProxyServer;
import dev.postern.core.spi.Stage;
import dev.postern.core.tls.CertificateExpiry;
import dev.postern.core.transport.ReverseDnsVerifier;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.Transport;
import dev.postern.core.transport.loop.AtomicSnapshot;
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

/** Assembles the modules into one gateway: each component is opened once and passed to its users. */
final class Assembly {

    private static final Via VIA = new Via("postern");

    private Assembly() {}

    /**
     * @param variation replaces stages of the pipeline; the identity except in tests that remove a stage
     * @param lines consumes the lines of the exchange log, several at once
     */
    static Components assemble(
            LoadedConfig loadedConfig, UnaryOperator<Stages> variation, Consumer<List<String>> lines) {
        CloseSequence sequence = new CloseSequence();
        try {
            return assemble(loadedConfig, variation, lines, sequence);
        } catch (RuntimeException e) {
            sequence.close();
            throw e;
        }
    }

    private static Components assemble(
            LoadedConfig loadedConfig,
            UnaryOperator<Stages> variation,
            Consumer<List<String>> lines,
            CloseSequence sequence) {
        GatewayConfig config = loadedConfig.config();
        SocketMapping core = new SocketMapping(config.transport());
        AdmissionMapping pass = new AdmissionMapping(config, loadedConfig.base());
        InstantSource clock = InstantSource.system();
        KeyRing ring = pass.ring();
        PrometheusMeterRegistry registry = MeterRegistries.open(sequence);
        String folder = config.extensions().folder();
        ExtensionLoader loader = sequence.add(
                ExtensionLoader.load(folder == null ? null : loadedConfig.base().resolve(folder), registry));

        // How: sockets, connections to upstreams and to forward destinations.
        Transport transport = Transport.open(core.transport());
        EventLoopGroup loops = transport.eventLoops(config.transport().eventLoops());
        sequence.add(() -> loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly());
        MeterRegistries.watch(registry, loops, core.allocator());
        SocketOptionsMonitor sockets = new SocketOptionsMonitor();
        DnsServerAddressStreamProvider nameServers = core.nameServers();
        DnsAddressResolverGroup names =
                sequence.add(new DnsAddressResolverGroup(transport.datagramChannel(), nameServers));
        Connector connector = new Connector(transport, sockets, names, Http1UpstreamConnection.opener());
        SelfAddresses own = new SelfAddresses();
        ForwardProxy out = new ForwardProxy(connector, new Connector.Place("forward", core.sockets(null)), VIA, own);
        ReverseProxy in = new ReverseProxy(VIA);
        Meters.TUNNELS.gauge(registry, () -> out.tunnels() + in.tunnels());

        // Who: tokens and the spend ledger.
        SpendLedger ledger = sequence.add(SpendLedgers.open(
                pass.ledger(),
                new LedgerEnvironment(config.instance().namespace(), registry, clock, Transport.loopsOf(loops))));
        Auth auth = sequence.add(
                Auth.open(pass.auth(), ring, registry, clock, new Auth.Memory(ledger::epoch, ledger::knownSpent)));

        // When: rate limits and rooms.
        ReverseDnsVerifier owners = sequence.add(new ReverseDnsVerifier(transport, nameServers));
        RateLimits limits = sequence.add(
                RateLimits.open(pass.rateLimits(), new RateLimits.Environment(ring, registry, clock, loops, owners)));

        ExchangeLog log =
                sequence.add(new ExchangeLog(LogMapping.of(config.log()), loader.logFields(), clock, registry, lines));
        FailureBuffer buffer = new FailureBuffer(clock);
        @Nullable TraceSettings traced = TraceMapping.of(config.tracing(), loadedConfig.base());
        @Nullable
        Tracing tracing = traced == null ? null : sequence.add(new Tracing(traced, Version.OURS, registry, clock));
        StageTimes times = new StageTimes();
        SpendMeters spends = new SpendMeters(registry);
        for (StripedHistogram histogram :
                List.of(times.histogram(), auth.verifications(), spends.checks(), spends.parts())) {
            registry.getPrometheusRegistry().register(new EventLoopHistogram(histogram));
        }
        Exchange.EndListener told = both(new ExchangeMeters(registry, times), both(log, buffer));
        Stages stages = new Stages(
                tracing == null ? told : both(told, tracing),
                tracing == null ? null : tracing.stage(),
                auth.decoding(),
                auth.verification(),
                limits.admission(),
                new SpendStage(ledger, auth.challenger(), pass.ledger(), spends, auth.terms()),
                new ProxyStage(in, out),
                loader.at(Stage.Place.MATCHED),
                loader.at(Stage.Place.ADMITTED));
        AtomicSnapshot<RoutingSnapshot> policy = new AtomicSnapshot<>(RoutingSnapshot.of(List.of()));
        ListenerMapping entrance = new ListenerMapping(config, loadedConfig.base(), core);
        LoadShedState state = new LoadShedState();
        sequence.add(
                new OverloadWatch(entrance.overload(), state, Transport.loopsOf(loops), core.allocator(), registry));
        DescriptorShares shares = DescriptorShares.ofThis();
        ConnectionHandlers handlers = new ConnectionHandlers(entrance.accept(shares), state, registry);
        ServerPipeline pipeline = new ServerPipeline(variation.apply(stages), state);
        ProxyServer server =
                new ProxyServer(transport, loops, pipeline, policy, sockets, handlers, new Http2Meters(registry));
        return new Components(
                loadedConfig,
                core,
                registry,
                times,
                transport,
                loops,
                sockets,
                loader,
                connector,
                ledger,
                auth,
                limits,
                log,
                buffer,
                spends,
                handlers,
                shares,
                new CertificateExpiry(clock, registry),
                server,
                state,
                policy,
                own,
                sequence);
    }

    private static Exchange.EndListener both(Exchange.EndListener first, Exchange.EndListener second) {
        return exchange -> {
            first.ended(exchange);
            second.ended(exchange);
        };
    }
}
