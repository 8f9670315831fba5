package dev.postern.core.testing;

import dev.postern.core.connection.CloseReasonMetrics;
import dev.postern.core.connection.ConnectionHandlers;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.headers.Via;
import dev.postern.core.http.Protocol;
import dev.postern.core.http1.client.Http1UpstreamConnection;
import dev.postern.core.http2.client.Http2UpstreamConnection;
import dev.postern.core.http2.guard.AbuseLimit;
import dev.postern.core.net.AddressRule;
import dev.postern.core.net.CidrSet;
import dev.postern.core.overload.LoadShedState;
import dev.postern.core.pipeline.ServerPipeline;
import dev.postern.core.pipeline.Stages;
import dev.postern.core.proxy.DestinationLookup;
import dev.postern.core.proxy.DestinationPolicy;
import dev.postern.core.proxy.ForwardProxy;
import dev.postern.core.proxy.OutboundSockets;
import dev.postern.core.proxy.ProxyStage;
import dev.postern.core.proxy.ReverseProxy;
import dev.postern.core.proxy.UdpForward;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.server.ListenerSettings;
import dev.postern.core.server.MemoryListener;
import dev.postern.core.testing.CoreGateway.Setup;
import dev.postern.core.testing.RawOrigin.Line;
import dev.postern.core.tls.ServerTls;
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
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.resolver.DefaultAddressResolverGroup;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Proxy of gateway-core in memory, in front of one upstream, with a reverse and a forward listener: its clients and servers are ends of connections whose bytes a test reads
 * and writes as those of sockets, and whose time it moves.
 */
public final class MemoryGateway implements AutoCloseable {

    /** Wall clock of the gateway. */
    public static final Instant NOW = Instant.parse("2026-11-27T12:00:00Z");

    private static final SocketOptions SOCKETS =
            new SocketOptions(true, "", 0, TcpKeepAlive.OFF, UnpooledByteBufAllocator.DEFAULT);

    private final MemoryNetwork network = new MemoryNetwork();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LoadShedState shedding = new LoadShedState();
    private final List<AbuseLimit> exceeded = new ArrayList<>();
    private final List<Exchange> ended = new ArrayList<>();
    private final Setup setup;
    private final Upstream upstream;
    private final ForwardProxy out;
    private final ServerPipeline pipeline;
    private final RoutingSnapshot snapshot;
    private final ConnectionHandlers handlers;
    private final MemoryListener reverse;
    private final MemoryListener forward;

    /** Starts a gateway with the defaults. */
    public MemoryGateway() {
        this(setup());
    }

    public MemoryGateway(Setup setup) {
        this.setup = setup;
        upstream = upstream(setup);
        upstream.register(registry);
        snapshot = CoreGateway.policy(setup).with(new Upstreams(Map.of("app", upstream)));
        out = out(setup);
        pipeline = new ServerPipeline(
                new Stages(
                        exchange -> {
                            ended.add(exchange);
                            setup.ending.ended(exchange);
                        },
                        null,
                        null,
                        null,
                        null,
                        setup.verify,
                        setup.admit,
                        null,
                        setup.spend,
                        new ProxyStage(new ReverseProxy(new Via("postern")), out)),
                shedding,
                new Via("postern"),
                () -> NOW);
        handlers = new ConnectionHandlers(
                setup.limits, setup.outboundBytes, shedding, setup.windows, registry, network.ticker());
        reverse = listener(ListenerInfo.Mode.REVERSE, CidrSet.NONE, false, null);
        forward = listener(ListenerInfo.Mode.FORWARD, CidrSet.NONE, false, null);
    }

    /** Returns a setup with one endpoint. */
    public static Setup setup() {
        return Setup.of("192.0.2.1:80");
    }

    private Upstream upstream(Setup with) {
        Connector connector = new Connector(
                        Transport.open(Transport.Kind.NIO),
                        new SocketOptionsMonitor(),
                        DefaultAddressResolverGroup.INSTANCE,
                        Http1UpstreamConnection.opener(),
                        network.ticker())
                .multiplexed(with.upstream2 ? Http2UpstreamConnection.factory(with.windows, network.ticker()) : null);
        UpstreamSettings settings = new UpstreamSettings(
                "app",
                with.endpoints,
                new UpstreamSettings.Balance(UpstreamSettings.Balance.Kind.LEAST_OF_TWO, HashPolicy.CLIENT_ADDRESS),
                new UpstreamSettings.Timeouts(with.connect, with.firstByte, with.idle),
                with.pool,
                with.retry,
                KeyDefaults.of(UpstreamSettings.Health.class),
                KeyDefaults.of(UpstreamSettings.Breaker.class),
                SOCKETS,
                UpstreamSettings.ProxyProtocol.OFF,
                with.expect,
                HostRule.PASS);
        return new Upstream(settings, connector, network, null);
    }

    private ForwardProxy out(Setup with) {
        OutboundSockets sockets = new OutboundSockets(with.outbound);
        sockets.register(registry);
        UdpConnector udp = new UdpConnector(Transport.open(Transport.Kind.NIO), UnpooledByteBufAllocator.DEFAULT);
        return new ForwardProxy(
                (loop, address, halfClosure) -> network.open(loop, halfClosure),
                Http1UpstreamConnection.opener(),
                new Via("postern"),
                new DestinationLookup(
                        MemoryNames.none(), new DestinationPolicy(CoreGateway.NAT64, address -> false), sockets),
                new UdpForward(udp, sockets, registry),
                sockets);
    }

    // ---- clients and servers

    /** Connects a client of HTTP/1.1. */
    public RawClient client() {
        return client("127.0.0.1");
    }

    /** Connects a client of HTTP/1.1 with that address. */
    public RawClient client(String address) {
        return RawClient.over(connect(reverse, address));
    }

    /** Connects a client of HTTP/1.1 to the forward listener. */
    public RawClient forwardClient() {
        return forwardClient("127.0.0.1");
    }

    /** Connects a client of HTTP/1.1 with that address to the forward listener. */
    public RawClient forwardClient(String address) {
        return RawClient.over(connect(forward, address));
    }

    /** Connects a client of HTTP/2, which sends its preface and settings, as {@link FrameClient#connect} does. */
    public FrameClient client2(int... settings) {
        return FrameClient.over(connect(reverse)).greet(settings);
    }

    /** Connects a client of HTTP/2 that has sent nothing. */
    public FrameClient silentClient2() {
        return FrameClient.over(connect(reverse));
    }

    /** Connects a client of HTTP/2 to the forward listener. */
    public FrameClient forwardClient2(int... settings) {
        return FrameClient.over(connect(forward)).greet(settings);
    }

    /** Connects a client of a listener, which sends nothing. */
    public Socket connect(MemoryListener listener) {
        return connect(listener, "127.0.0.1");
    }

    /** Connects a client of a listener, with that address. */
    public Socket connect(MemoryListener listener, String address) {
        InetAddress from = NetUtil.createInetAddressFromIpAddressString(address);
        return network.connect(new InetSocketAddress(from, 4711), listener::accept);
    }

    /** Opens another reverse listener, with TLS. */
    public MemoryListener listen(ServerTls tls) {
        return listener(ListenerInfo.Mode.REVERSE, CidrSet.NONE, false, tls);
    }

    /** Opens another reverse listener, behind load balancers with these addresses. */
    public MemoryListener listenBehind(String trusted, @Nullable ServerTls tls) {
        return listenBehind(trusted, tls, null);
    }

    /** @param addresses the clients that may use the listener */
    public MemoryListener listenBehind(String trusted, @Nullable ServerTls tls, @Nullable AddressRule addresses) {
        CidrSet proxies = CidrSet.of(List.of(trusted));
        return listener(setup.listener(ListenerInfo.Mode.REVERSE, proxies, addresses), true, tls);
    }

    private MemoryListener listener(
            ListenerInfo.Mode mode, CidrSet trusted, boolean proxyProtocol, @Nullable ServerTls tls) {
        return listener(setup.listener(mode, trusted), proxyProtocol, tls);
    }

    private MemoryListener listener(ListenerInfo listener, boolean proxyProtocol, @Nullable ServerTls tls) {
        ListenerSettings settings = new ListenerSettings(
                listener,
                MemoryNetwork.HERE,
                SOCKETS,
                EnumSet.allOf(Protocol.class),
                setup.limits,
                setup.http2,
                proxyProtocol,
                tls);
        return new MemoryListener(settings, pipeline, () -> snapshot, handlers, (limit, client) -> exceeded.add(limit));
    }

    /** Starts an origin that serves all connections from now on. */
    public MemoryOrigin origin() {
        MemoryOrigin origin = new MemoryOrigin();
        network.serve(origin);
        return origin;
    }

    /** Accepts the next connection of the gateway to its upstream; fails without one. */
    public Line accept() {
        return Line.over(network.accept());
    }

    /** Returns whether the gateway has opened a connection to its upstream that was not accepted. */
    public boolean connects() {
        return network.connects();
    }

    /** Accepts the next connection, and reads the head of a request on it. */
    public Line acceptRequest() {
        Line line = accept();
        line.readHead();
        return line;
    }

    /** Accepts the next connection of HTTP/2, and sends nothing. */
    public FrameClient silent2() {
        return FrameClient.over(network.accept());
    }

    /** Accepts the next connection of HTTP/2, and sends settings as {@link FrameOrigin#accept} does. */
    public FrameClient accept2(int... settings) {
        int[] all = new int[settings.length + 2];
        all[0] = 1; // no dynamic table
        System.arraycopy(settings, 0, all, 2, settings.length);
        return FrameClient.over(network.accept())
                .readPreface()
                .frame(FrameClient.SETTINGS, 0, 0, FrameClient.settings(all));
    }

    // ---- what a test reads and moves

    /** Lets time pass. */
    public void pass(Duration time) {
        network.pass(time);
    }

    /** Returns the exchanges that have ended so far, in that order. */
    public List<Exchange> ended() {
        network.run();
        return ended;
    }

    /** Returns counters of connections that were closed for another reason than the end of an exchange. */
    public CloseReasonMetrics metrics() {
        network.run();
        return handlers.metrics();
    }

    public MemoryListener forward() {
        return forward;
    }

    /** Returns the reverse listener in clear text. */
    public MemoryListener reverse() {
        return reverse;
    }

    /** Returns the bytes that clients and servers have sent and the gateway has not read. */
    public int unread() {
        return network.unread();
    }

    /** Returns the number of tunnels of CONNECT whose connection to the destination is open. */
    public int tunnels() {
        network.run();
        return out.tunnels();
    }

    /** Returns the value of a gauge. */
    public double gauge(String meter, String tag, String value) {
        network.run();
        return registry.get(meter).tag(tag, value).gauge().value();
    }

    /** Returns the value of a function counter. */
    public double count(String meter, String... tags) {
        network.run();
        return registry.get(meter).tags(tags).functionCounter().count();
    }

    /** Returns the limits that clients exceeded. */
    public List<AbuseLimit> exceeded() {
        return exceeded;
    }

    public Upstream upstream() {
        return upstream;
    }

    /** Returns the state that can make the gateway refuse new exchanges. */
    public LoadShedState shedding() {
        return shedding;
    }

    @Override
    public void close() {
        network.close();
    }
}
