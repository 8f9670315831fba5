package dev.postern.core.testing;

import dev.postern.core.config.ByteSize;
import dev.postern.core.connection.CloseReasonMetrics;
import dev.postern.core.connection.ConnectionHandlers;
import dev.postern.core.connection.ConnectionSettings;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.RequestId;
import dev.postern.core.exchange.RequestIdSettings;
import dev.postern.core.headers.Via;
import dev.postern.core.http.Protocol;
import dev.postern.core.http1.client.Http1UpstreamConnection;
import dev.postern.core.http2.client.Http2UpstreamConnection;
import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.http2.guard.Http2Limits;
import dev.postern.core.net.AddressRule;
import dev.postern.core.net.CidrSet;
import dev.postern.core.net.ClientNetworks;
import dev.postern.core.net.Nat64Prefixes;
import dev.postern.core.overload.LoadShedState;
import dev.postern.core.pipeline.ExchangeStage;
import dev.postern.core.pipeline.ServerPipeline;
import dev.postern.core.pipeline.Stages;
import dev.postern.core.proxy.DestinationLookup;
import dev.postern.core.proxy.DestinationPolicy;
import dev.postern.core.proxy.ForwardProxy;
import dev.postern.core.proxy.OutboundSockets;
import dev.postern.core.proxy.ProxyStage;
import dev.postern.core.proxy.ReverseProxy;
import dev.postern.core.proxy.UdpForward;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.route.ForwardSettings;
import dev.postern.core.route.Preflight;
import dev.postern.core.route.Route;
import dev.postern.core.route.RouteTable;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.server.ListenerSettings;
import dev.postern.core.server.ProxyServer;
import dev.postern.core.tls.ClientTls;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.transport.ReceiveWindows;
import dev.postern.core.transport.SocketOptions;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.TcpKeepAlive;
import dev.postern.core.transport.Transport;
import dev.postern.core.tunnel.UdpConnector;
import dev.postern.core.upstream.Upstream;
import dev.postern.core.upstream.Upstreams;
import dev.postern.core.upstream.connect.Connector;
import dev.postern.core.upstream.endpoint.HashPolicy;
import dev.postern.core.upstream.endpoint.HostRule;
import dev.postern.core.upstream.endpoint.UpstreamSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.DefaultAddressResolverGroup;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Runs the proxy of gateway-core on loopback, in front of one upstream, with a reverse and a forward listener. */
public final class CoreGateway implements AutoCloseable {

    /** The default of transport.nat64-prefixes. */
    static final Nat64Prefixes NAT64 = Nat64Prefixes.of(List.of("64:ff9b::/96", "64:ff9b:1::/48"));

    private static final Transport.Kind KIND =
            Transport.Kind.valueOf(System.getProperty("transport.kind", "auto").toUpperCase(Locale.ROOT));

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final EventLoopGroup loops;
    private final ProxyServer server;
    private final ConnectionHandlers handlers;
    private final LoadShedState state = new LoadShedState();
    private final SocketOptions sockets;
    private final ConnectionSettings limits;
    private final Http2Limits http2;
    private final Upstream upstream;
    private final ForwardProxy out;
    private final List<AbuseLimit> budgets = new CopyOnWriteArrayList<>();
    private final List<Exchange> ended = Collections.synchronizedList(new ArrayList<>());
    private final int port;
    private final int forwardPort;

    /** Options of a gateway, changed in place. */
    public static final class Setup {

        final List<String> endpoints;
        UpstreamSettings.Pool pool = KeyDefaults.of(UpstreamSettings.Pool.class);
        // Longer than any pause of a busy machine: a test of one of these time-outs sets it.
        Duration connect = Duration.ofSeconds(10);
        UpstreamSettings.Retry retry = KeyDefaults.of(UpstreamSettings.Retry.class);
        Duration firstByte = Duration.ofSeconds(30);
        Duration idle = Duration.ofSeconds(30);
        ConnectionSettings limits = TestLimits.CLIENT;
        long outboundBytes;
        Http2Limits http2 = KeyDefaults.of(Http2Limits.class);
        ReceiveWindows windows = new ReceiveWindows(0, channel -> 0); // which do not grow
        Route route = TestRoute.of("*/", "*", "/", "app", Route.Token.OFF, null, Preflight.FORWARD, Duration.ZERO, 0);
        List<String> ports = List.of("1-65535");
        ForwardSettings.Tunnel tunnel = KeyDefaults.of(ForwardSettings.Tunnel.class);
        ForwardSettings.Udp udp = udp(List.of("1-65535"), Duration.ofMinutes(2));
        List<String> privateRanges = List.of("127.0.0.0/8");
        int loops = 1;
        int notSent;
        TcpKeepAlive keepAlive = TcpKeepAlive.OFF;
        int outbound = 10_000;

        @Nullable
        RequestIdSettings requestIds;

        Exchange.EndListener ending = exchange -> {};

        @Nullable
        ExchangeStage verify;

        @Nullable
        ExchangeStage admit;

        @Nullable
        ExchangeStage spend;

        UpstreamSettings.Expect expect = UpstreamSettings.Expect.FORWARD;
        boolean upstream2;

        @Nullable
        ClientTls tls;

        UnaryOperator<Transport> transport = UnaryOperator.identity();
        Function<Transport, AddressResolverGroup<InetSocketAddress>> names =
                transport -> DefaultAddressResolverGroup.INSTANCE;

        private Setup(List<String> endpoints) {
            this.endpoints = endpoints;
        }

        public static Setup of(String... endpoints) {
            return new Setup(List.of(endpoints));
        }

        public Setup pool(UpstreamSettings.Pool value) {
            pool = value;
            return this;
        }

        public Setup connect(Duration value) {
            connect = value;
            return this;
        }

        /** Adds a listener for the end of each exchange, on its loop; in memory only. */
        public Setup ending(Exchange.EndListener listener) {
            ending = listener;
            return this;
        }

        /** Gives the exchanges of the reverse listener ids. */
        public Setup requestIds(RequestIdSettings settings) {
            requestIds = settings;
            return this;
        }

        ListenerInfo listener(ListenerInfo.Mode mode, CidrSet trusted) {
            return listener(mode, trusted, null);
        }

        ListenerInfo listener(ListenerInfo.Mode mode, CidrSet trusted, @Nullable AddressRule addresses) {
            @Nullable RequestIdSettings ids = mode == ListenerInfo.Mode.REVERSE ? requestIds : null;
            return new ListenerInfo(
                    mode.label(),
                    mode,
                    "default",
                    "",
                    trusted,
                    List.of(),
                    ListenerInfo.Forwarded.AUTO,
                    false,
                    ids == null ? null : new RequestId(ids),
                    ClientNetworks.WELL_KNOWN,
                    addresses,
                    null);
        }

        /** Sends a request without a response in this time to another endpoint. */
        public Setup perTry(Duration value) {
            retry = new UpstreamSettings.Retry(retry.budget(), value);
            return this;
        }

        public Setup firstByte(Duration value) {
            firstByte = value;
            return this;
        }

        public Setup idle(Duration value) {
            idle = value;
            return this;
        }

        public Setup expect(UpstreamSettings.Expect value) {
            expect = value;
            return this;
        }

        public Setup limits(ConnectionSettings value) {
            limits = value;
            return this;
        }

        public Setup outboundBytes(long max) {
            outboundBytes = max;
            return this;
        }

        public Setup http2(Http2Limits value) {
            http2 = value;
            return this;
        }

        public Setup windows(ReceiveWindows value) {
            windows = value;
            return this;
        }

        public Setup route(UnaryOperator<Route> change) {
            route = change.apply(route);
            return this;
        }

        public Setup forward(List<String> allowedPorts, List<String> allowedPrivate) {
            ports = allowedPorts;
            privateRanges = allowedPrivate;
            return this;
        }

        /** Returns settings of UDP tunnels with these ports and that idle time. */
        public static ForwardSettings.Udp udp(List<String> ports, Duration idle) {
            return new ForwardSettings.Udp(ports, idle, Duration.ZERO, 0, ByteSize.of("64KiB"));
        }

        public Setup udp(ForwardSettings.Udp value) {
            udp = value;
            return this;
        }

        public Setup tunnel(ForwardSettings.Tunnel value) {
            tunnel = value;
            return this;
        }

        public Setup transport(UnaryOperator<Transport> change) {
            transport = change;
            return this;
        }

        /** Resolves names of destinations; by default the JDK does. */
        public Setup names(Function<Transport, AddressResolverGroup<InetSocketAddress>> value) {
            names = value;
            return this;
        }

        /** Lets the kernel take so few bytes of a socket that are not sent yet; the rest waits in the gateway. */
        public Setup notSent(int bytes) {
            notSent = bytes;
            return this;
        }

        public Setup keepAlive(TcpKeepAlive value) {
            keepAlive = value;
            return this;
        }

        /** Limits the sockets of exchanges of the forward listener. */
        public Setup outbound(int value) {
            outbound = value;
            return this;
        }

        public Setup loops(int value) {
            loops = value;
            return this;
        }

        public Setup verify(ExchangeStage value) {
            verify = value;
            return this;
        }

        public Setup admit(ExchangeStage value) {
            admit = value;
            return this;
        }

        public Setup spend(ExchangeStage value) {
            spend = value;
            return this;
        }

        /** Uses HTTP/1.1 over TLS to the upstream. */
        public Setup overTls(ClientTls value) {
            tls = value;
            return this;
        }

        /** Uses HTTP/2 to the upstream, over TLS if given. */
        public Setup toHttp2(@Nullable ClientTls value) {
            upstream2 = true;
            tls = value;
            return this;
        }
    }

    public CoreGateway(Setup setup) {
        this(setup, KIND);
    }

    public CoreGateway(Setup setup, Transport.Kind kind) {
        Transport transport = setup.transport.apply(Transport.open(kind));
        loops = transport.eventLoops(setup.loops);
        sockets = new SocketOptions(true, "", setup.notSent, setup.keepAlive, PooledByteBufAllocator.DEFAULT);
        SocketOptionsMonitor monitor = new SocketOptionsMonitor();
        Connector connector = new Connector(
                transport,
                monitor,
                DefaultAddressResolverGroup.INSTANCE,
                Http1UpstreamConnection.opener(),
                loops.ticker());
        upstream = new Upstream(
                new UpstreamSettings(
                        "app",
                        setup.endpoints,
                        new UpstreamSettings.Balance(
                                UpstreamSettings.Balance.Kind.LEAST_OF_TWO, HashPolicy.CLIENT_ADDRESS),
                        new UpstreamSettings.Timeouts(setup.connect, setup.firstByte, setup.idle),
                        setup.pool,
                        setup.retry,
                        KeyDefaults.of(UpstreamSettings.Health.class),
                        KeyDefaults.of(UpstreamSettings.Breaker.class),
                        sockets,
                        UpstreamSettings.ProxyProtocol.OFF,
                        setup.expect,
                        HostRule.PASS),
                connector
                        .with(setup.tls)
                        .multiplexed(
                                setup.upstream2
                                        ? Http2UpstreamConnection.factory(setup.windows, loops.ticker())
                                        : null),
                registry);
        Upstreams upstreams = new Upstreams(Map.of("app", upstream));
        OutboundSockets outbound = new OutboundSockets(setup.outbound);
        outbound.register(registry);
        out = new ForwardProxy(
                connector,
                new Connector.SocketGroup("forward", sockets),
                new Via("postern"),
                new DestinationLookup(
                        setup.names.apply(transport),
                        new DestinationPolicy(NAT64, a -> isOurs(a)),
                        outbound,
                        Duration.ofMinutes(1)),
                new UdpForward(new UdpConnector(transport, PooledByteBufAllocator.DEFAULT), outbound, registry),
                outbound);
        Stages stages = new Stages(
                ended -> {
                    if (this.ended.size() < 100_000) {
                        this.ended.add(ended);
                    }
                },
                null,
                null,
                null,
                null,
                setup.verify,
                setup.admit,
                null,
                setup.spend,
                new ProxyStage(new ReverseProxy(new Via("postern")), out));
        RoutingSnapshot snapshot = policy(setup).with(upstreams);
        handlers = new ConnectionHandlers(
                setup.limits, setup.outboundBytes, state, setup.windows, registry, loops.ticker());
        server = new ProxyServer(
                transport,
                loops,
                new ServerPipeline(stages, state, new Via("postern"), InstantSource.system()),
                () -> snapshot,
                monitor,
                handlers,
                (limit, client) -> budgets.add(limit));
        limits = setup.limits;
        http2 = setup.http2;
        port = listen(ListenerInfo.Mode.REVERSE, CidrSet.NONE, false, null);
        forwardPort = listen(ListenerInfo.Mode.FORWARD, CidrSet.NONE, false, null);
    }

    private boolean isOurs(InetSocketAddress address) {
        return server.addresses().contains(address);
    }

    /** Returns the policy of both listeners, without upstreams. */
    static RoutingSnapshot policy(Setup setup) {
        Route outward = TestRoute.with(
                TestRoute.of(
                        "forward:default",
                        "*",
                        "/",
                        "",
                        setup.route.token(),
                        setup.route.rateLimit(),
                        Preflight.FORWARD,
                        Duration.ZERO,
                        0),
                setup.route.minBodyRate());
        ForwardPolicy forward = new ForwardPolicy(
                outward,
                new ForwardSettings(
                        ForwardSettings.Token.REQUIRED,
                        null,
                        setup.ports,
                        List.of("*"),
                        setup.privateRanges,
                        setup.tunnel,
                        setup.udp));
        return new RoutingSnapshot(new RouteTable(List.of(setup.route)), Map.of("default", forward), Map.of());
    }

    private int listen(ListenerInfo.Mode mode, CidrSet trusted, boolean proxyProtocol, @Nullable ServerTls tls) {
        ListenerInfo listener = new ListenerInfo(mode.label(), mode, "default", "", trusted, false);
        return server.listen(new ListenerSettings(
                        listener,
                        new InetSocketAddress("127.0.0.1", 0),
                        sockets,
                        EnumSet.allOf(Protocol.class),
                        limits,
                        http2,
                        proxyProtocol,
                        tls))
                .getPort();
    }

    /** Opens another reverse listener, with TLS; returns its port. */
    public int listen(ServerTls tls) {
        return listen(ListenerInfo.Mode.REVERSE, CidrSet.NONE, false, tls);
    }

    /** Opens another reverse listener, behind load balancers with these addresses; returns its port. */
    public int listenBehind(String trusted, @Nullable ServerTls tls) {
        return listen(ListenerInfo.Mode.REVERSE, CidrSet.of(List.of(trusted)), true, tls);
    }

    /** Returns counters of connections that were closed for another reason than the end of an exchange. */
    public CloseReasonMetrics metrics() {
        return handlers.metrics();
    }

    public int port() {
        return port;
    }

    public int forwardPort() {
        return forwardPort;
    }

    /** Returns the state that can make the gateway refuse new exchanges. */
    public LoadShedState state() {
        return state;
    }

    public Upstream upstream() {
        return upstream;
    }

    /** Returns the number of tunnels of CONNECT whose connection to the destination is open. */
    public int tunnels() {
        return out.tunnels();
    }

    /** Returns the value of a gauge without tags. */
    public double gauge(String meter) {
        return registry.get(meter).gauge().value();
    }

    /** Returns the value of a gauge. */
    public double gauge(String meter, String tag, String value) {
        return registry.get(meter).tag(tag, value).gauge().value();
    }

    /** Returns the value of a function counter. */
    public double count(String meter, String... tags) {
        return registry.get(meter).tags(tags).functionCounter().count();
    }

    public ProxyServer server() {
        return server;
    }

    /** Returns the event loop of a setup with one. */
    public EventLoop loop() {
        return loops.next();
    }

    /**
     * Pauses the event loop of a setup with one until the latch is zero, for 20 s at most. What clients send meanwhile has arrived when
     * their connections are accepted, that is, before a time limit of theirs begins.
     */
    public void pauseUntil(CountDownLatch zero) {
        loop().execute(() -> {
            try {
                zero.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** Returns the limits that clients exceeded. */
    public List<AbuseLimit> budgets() {
        return budgets;
    }

    /** Returns a copy of the exchanges that have ended so far, in that order; their heads are not to be read any more. */
    public List<Exchange> ended() {
        synchronized (ended) {
            return List.copyOf(ended);
        }
    }

    @Override
    public void close() {
        try {
            server.drain(Duration.ZERO);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // Without a quiet period a loop can end with a connection that its last task has begun, whose handlers are then
        // never removed.
        loops.shutdownGracefully(10, 5_000, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }
}
