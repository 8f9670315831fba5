package dev.postern.app;

import dev.postern.app.Components.Admission;
import dev.postern.app.Components.Network;
import dev.postern.app.Components.Observation;
import dev.postern.app.Components.Operation;
import dev.postern.app.Components.Serving;
import dev.postern.app.admin.AdminAccess;
import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.read.LoadedConfig;
import dev.postern.app.log.ExchangeLog;
import dev.postern.app.log.FailureBuffer;
import dev.postern.app.log.LineOutput;
import dev.postern.app.mapping.AdminMapping;
import dev.postern.app.mapping.AdmissionMapping;
import dev.postern.app.mapping.DescriptorShares;
import dev.postern.app.mapping.SocketMapping;
import dev.postern.app.metrics.EventLoopHistogram;
import dev.postern.app.metrics.MeterRegistries;
import dev.postern.app.trace.Tracing;
import dev.postern.auth.Auth;
import dev.postern.auth.SpendLedgers;
import dev.postern.auth.handler.SpendMeters;
import dev.postern.auth.handler.SpendStage;
import dev.postern.auth.spend.LedgerEnvironment;
import dev.postern.auth.spend.SpendLedger;
import dev.postern.core.authorize.QuestionStage;
import dev.postern.core.authorize.RefusalSeal;
import dev.postern.core.connection.ConnectionHandlers;
import dev.postern.core.crypto.KeyRing;
import dev.postern.core.dns.NameServers;
import dev.postern.core.dns.ReverseDnsVerifier;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.extension.ExtensionLoader;
import dev.postern.core.headers.Via;
import dev.postern.core.http1.client.Http1UpstreamConnection;
import dev.postern.core.http2.Http2Meters;
import dev.postern.core.metrics.Meters;
import dev.postern.core.net.Nat64Prefixes;
import dev.postern.core.overload.LoadShedState;
import dev.postern.core.overload.OverloadWatch;
import dev.postern.core.pipeline.ExchangeMeters;
import dev.postern.core.pipeline.ServerPipeline;
import dev.postern.core.pipeline.StageTimes;
import dev.postern.core.pipeline.Stages;
import dev.postern.core.proxy.DestinationLookup;
import dev.postern.core.proxy.DestinationPolicy;
import dev.postern.core.proxy.ForwardProxy;
import dev.postern.core.proxy.OutboundSockets;
import dev.postern.core.proxy.ProxyStage;
import dev.postern.core.proxy.ReverseProxy;
import dev.postern.core.proxy.UdpForward;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.server.ProxyServer;
import dev.postern.core.spi.Stage;
import dev.postern.core.tls.TlsEngine;
import dev.postern.core.tls.TlsEnvironment;
import dev.postern.core.tls.certificate.CertificateExpiry;
import dev.postern.core.transport.ReceiveWindows;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.Transport;
import dev.postern.core.transport.loop.AtomicSnapshot;
import dev.postern.core.tunnel.UdpConnector;
import dev.postern.core.upstream.connect.Connector;
import dev.postern.ratelimit.RateLimits;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Ticker;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Assembles one gateway: network, admission, observation and serving, each opened once and given to those that need it. */
final class Assembly {

    private final LoadedConfig loaded;
    private final GatewayConfig config;
    private final AdmissionMapping settings;
    private final CloseSequence sequence;
    private final Platform platform;
    private final InstantSource clock;
    private final Ticker ticker;
    private final PrometheusMeterRegistry registry;
    private final ExtensionLoader loader;
    private final Via via = Via.random();

    private Assembly(LoadedConfig loaded, Platform platform, CloseSequence sequence) {
        this.loaded = loaded;
        this.config = loaded.config();
        this.settings = new AdmissionMapping(config);
        this.sequence = sequence;
        this.platform = platform;
        this.clock = platform.clock();
        this.ticker = platform.ticker();
        this.registry = MeterRegistries.open(sequence::add, Version.OURS);
        String folder = config.extensions().folder();
        this.loader = sequence.add(ExtensionLoader.load(folder == null ? null : Path.of(folder), registry, ticker));
    }

    /**
     * Assembles the components of a configuration; on failure all that were opened are closed.
     *
     * @param variation what stands at each stage in the end; the identity but in tests that take one out
     * @param outputs opens the output of the exchange log
     */
    static Components assemble(
            LoadedConfig loadedConfig, Platform platform, UnaryOperator<Stages> variation, LineOutput.Opener outputs) {
        CloseSequence sequence = new CloseSequence();
        try {
            return new Assembly(loadedConfig, platform, sequence).assemble(variation, outputs);
        } catch (RuntimeException e) {
            sequence.close();
            throw e;
        }
    }

    private Components assemble(UnaryOperator<Stages> variation, LineOutput.Opener outputs) {
        ProcessRing ring = new ProcessRing(config, registry);
        Network network = network(ring);
        ProxyStage proxy = proxy(network);
        SpendLedger ledger = ledger(network);
        Admission admission = new Admission(ring, ledger, auth(ring.get(), ledger), rateLimits(ring.get(), network));
        Observation observation = observation(admission.auth(), outputs);
        QuestionStage question = new QuestionStage(new RefusalSeal(ring, clock));
        Stages stages = stages(admission, observation, question, proxy);
        return new Components(
                loaded,
                platform,
                network,
                admission,
                observation,
                loader,
                serving(network, variation.apply(stages)),
                operation(network),
                sequence);
    }

    private Operation operation(Network network) {
        return new Operation(
                new AdminAccess(AdminMapping.tokens(config.admin()), ticker),
                AdminMapping.tls(config.admin(), network.tls()));
    }

    private Network network(ProcessRing ring) {
        SocketMapping sockets = new SocketMapping(config.transport());
        Transport transport = platform.transports().apply(config.transport().kind());
        TlsEnvironment tls =
                new TlsEnvironment(TlsEngine.open(config.transport().tlsEngine()), ring, clock);
        EventLoopGroup loops = transport.eventLoops(config.transport().eventLoops());
        sequence.add(() -> loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly());
        MeterRegistries.watch(registry, loops, sockets.allocator());
        SocketOptionsMonitor monitor = new SocketOptionsMonitor();
        NameServers nameServers = new NameServers(transport, sockets.nameServers());
        Connector connector = new Connector(
                transport,
                monitor,
                sequence.add(platform.upstreams().apply(nameServers)),
                Http1UpstreamConnection.opener(),
                ticker);
        return new Network(
                sockets,
                transport,
                tls,
                loops,
                monitor,
                nameServers,
                connector,
                new SelfAddresses(),
                new OutboundSockets(1));
    }

    private ProxyStage proxy(Network network) {
        Connector.SocketGroup group =
                new Connector.SocketGroup("forward", network.settings().destinationSockets());
        UdpForward udp = new UdpForward(
                new UdpConnector(network.transport(), network.settings().allocator()), network.outbound(), registry);
        DestinationLookup lookup = new DestinationLookup(
                sequence.add(platform.destinations().apply(network.nameServers())),
                new DestinationPolicy(Nat64Prefixes.of(config.transport().nat64Prefixes()), network.selfAddresses()),
                network.outbound());
        network.outbound().register(registry);
        ForwardProxy forward = new ForwardProxy(network.connector(), group, via, lookup, udp, network.outbound());
        ReverseProxy reverse = new ReverseProxy(via);
        Meters.TUNNELS.gauge(registry, forward::tunnels, "connect");
        Meters.TUNNELS.gauge(registry, reverse::tunnels, "upgrade");
        return new ProxyStage(reverse, forward);
    }

    private SpendLedger ledger(Network network) {
        return sequence.add(SpendLedgers.open(
                config.privacyPass().ledger(),
                new LedgerEnvironment(
                        config.instance().namespace(),
                        registry,
                        clock,
                        ticker,
                        Transport.loopsOf(network.loops()),
                        settings.redis(),
                        network.nameServers())));
    }

    private Auth auth(KeyRing ring, SpendLedger ledger) {
        return sequence.add(Auth.open(
                config.privacyPass(),
                new Auth.Environment(
                        config.instance().namespace(),
                        settings.sessions(),
                        ring,
                        registry,
                        clock,
                        ticker,
                        new Auth.Memory(ledger::epoch, ledger::knownSpent))));
    }

    private RateLimits rateLimits(KeyRing ring, Network network) {
        ReverseDnsVerifier owners = sequence.add(new ReverseDnsVerifier(network.nameServers()));
        return sequence.add(RateLimits.open(
                settings.rateLimits(),
                new RateLimits.Environment(ring, registry, clock, network.loops(), owners, network.nameServers())));
    }

    private Observation observation(Auth auth, LineOutput.Opener outputs) {
        ExchangeLog log =
                sequence.add(new ExchangeLog(config.log(), loader.logFields(), clock, ticker, registry, outputs));
        StageTimes times = new StageTimes();
        SpendMeters spends = new SpendMeters(registry);
        ExchangeMeters exchanges = new ExchangeMeters(registry, times);
        Stream.concat(
                        Stream.of(times.histogram(), auth.verifications(), spends.checks(), spends.parts()),
                        exchanges.histograms().stream())
                .forEach(histogram -> registry.getPrometheusRegistry().register(new EventLoopHistogram(histogram)));
        return new Observation(
                registry,
                times,
                exchanges,
                spends,
                log,
                new FailureBuffer(clock, ticker),
                sequence.add(new Tracing(Version.OURS, registry, clock)),
                new CertificateExpiry(clock, registry));
    }

    private Stages stages(Admission admission, Observation observation, QuestionStage question, ProxyStage proxy) {
        Tracing tracing = observation.tracing();
        Exchange.EndListener log = both(observation.exchanges(), both(observation.log(), observation.failures()));
        Auth auth = admission.auth();
        return new Stages(
                both(log, tracing),
                question,
                tracing.stage(),
                loader.at(Stage.Position.MATCHED),
                auth.decoding(),
                auth.verification(),
                admission.limits().admission(),
                loader.at(Stage.Position.ADMITTED),
                auth.spending((challenger, terms) -> new SpendStage(
                        admission.ledger(),
                        challenger,
                        config.privacyPass().ledger(),
                        observation.spends(),
                        terms,
                        ticker)),
                proxy);
    }

    private Serving serving(Network network, Stages stages) {
        AtomicSnapshot<RoutingSnapshot> snapshot = new AtomicSnapshot<>(RoutingSnapshot.of(List.of()));
        LoadShedState state = new LoadShedState();
        OverloadWatch overload = sequence.add(new OverloadWatch(
                config.overload(),
                state,
                Transport.loopsOf(network.loops()),
                network.settings().allocator(),
                registry));
        DescriptorShares shares = DescriptorShares.ofThis();
        ConnectionHandlers connections = new ConnectionHandlers(
                shares.limits(config),
                config.overload().outboundBytes(),
                state,
                ReceiveWindows.ofDirectMemory(),
                registry,
                ticker);
        ProxyServer server = new ProxyServer(
                network.transport(),
                network.loops(),
                new ServerPipeline(stages, state, via, clock),
                snapshot,
                network.monitor(),
                connections,
                new Http2Meters(registry, ticker));
        return new Serving(server, connections, shares, state, overload, snapshot);
    }

    private static Exchange.EndListener both(Exchange.EndListener first, Exchange.EndListener second) {
        return exchange -> {
            first.ended(exchange);
            second.ended(exchange);
        };
    }
}
