package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.headers.ForwardedFields;
import dev.postern.core.headers.HopByHop;
import dev.postern.core.headers.Via;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Method;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.net.AddressPrefix;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.transport.ChannelTunnelPeer;
import dev.postern.core.tunnel.UpgradedTunnel;
import dev.postern.core.upstream.connect.Connector;
import dev.postern.core.upstream.connect.UpstreamStream;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Forward proxy for clients of forward listeners: a tunnel for CONNECT and CONNECT-UDP, one request for absolute-form. The proxy connects
 * to exactly the addresses that were checked. Thread-safe; each exchange stays on its loop.
 */
public final class ForwardProxy {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final DestinationConnector connector;
    private final BiFunction<Channel, UpstreamStream.Owner, UpstreamStream> protocol;
    private final Via via;
    private final DestinationLookup lookup;
    private final UdpForward udp;
    private final OutboundSockets sockets;
    private final AtomicInteger tunnels = new AtomicInteger();

    /** Opens connections to addresses that were checked. */
    @FunctionalInterface
    public interface DestinationConnector {

        /** @param halfClosure whether the connection outlives the end of the destination's output */
        ChannelFuture connect(EventLoop loop, InetSocketAddress address, boolean halfClosure);
    }

    /**
     * @param via the gateway's name in Via
     * @param lookup finds and checks the addresses of destinations
     * @param udp forwards exchanges that ask for a UDP tunnel
     * @param sockets budget of which each connection takes one
     */
    public ForwardProxy(
            Connector connector,
            Connector.SocketGroup group,
            Via via,
            DestinationLookup lookup,
            UdpForward udp,
            OutboundSockets sockets) {
        this(
                (loop, address, halfClosure) ->
                        connector.connect(loop, address, CONNECT_TIMEOUT, group, halfClosure, new NoHandlers()),
                connector.protocol(),
                via,
                lookup,
                udp,
                sockets);
    }

    /**
     * @param connector opens the connections, which need not be sockets
     * @param protocol adds the protocol to the pipeline of a connection that serves one request
     */
    public ForwardProxy(
            DestinationConnector connector,
            BiFunction<Channel, UpstreamStream.Owner, UpstreamStream> protocol,
            Via via,
            DestinationLookup lookup,
            UdpForward udp,
            OutboundSockets sockets) {
        this.connector = connector;
        this.protocol = protocol;
        this.via = via;
        this.lookup = lookup;
        this.udp = udp;
        this.sockets = sockets;
    }

    /** Returns the number of open tunnels of CONNECT. */
    public int tunnels() {
        return tunnels.get();
    }

    /** Forwards the exchange and sends its response, now or later. */
    public void forward(Exchange exchange, ForwardPolicy policy) {
        Destination destination = Destination.of(exchange);
        lookup.find(exchange, policy, destination, addresses -> {
            if (destination.udp()) {
                udp.open(exchange, policy, addresses.get(0));
            } else {
                connect(exchange, policy, addresses);
            }
        });
    }

    private void connect(Exchange exchange, ForwardPolicy policy, List<InetSocketAddress> addresses) {
        AddressPrefix client = exchange.clientPrefix();
        int places = Math.min(addresses.size(), ConnectionRace.MAX_ATTEMPTS);
        if (!sockets.take(client, places)) {
            noSocket(exchange);
            return;
        }
        boolean tunnel = exchange.request().method().equals(Method.CONNECT);
        ConnectionRace race =
                new ConnectionRace(exchange.loop(), address -> connector.connect(exchange.loop(), address, tunnel));
        RaceCancellation cancellation = new RaceCancellation(race);
        exchange.whenEnded(cancellation);
        race.start(addresses).addListener((Future<Channel> done) -> {
            cancellation.drop();
            give(client, places, done);
            exchange.timeline().mark(StageName.CONNECT);
            if (!done.isSuccess()) {
                refuse(exchange, done.cause());
            } else if (exchange.ended()) {
                done.getNow().close();
            } else if (tunnel) {
                tunnel(exchange, policy, done.getNow());
            } else {
                once(exchange, done.getNow());
            }
        });
    }

    /** Gives the sockets of a race back that has ended, that of its winner when it closes. */
    private void give(AddressPrefix client, int places, Future<Channel> race) {
        if (!race.isSuccess()) {
            sockets.give(client, places);
            return;
        }
        if (places > 1) {
            sockets.give(client, places - 1);
        }
        race.getNow().closeFuture().addListener(closed -> sockets.give(client, 1));
    }

    /** Refuses an exchange for which the budget has no socket. */
    static void noSocket(Exchange exchange) {
        exchange.outcome().reason(Connector.NO_DESCRIPTOR);
        exchange.refuse(Refusal.OVERLOADED);
    }

    /** Refuses an exchange whose destination could not be connected. */
    static void refuse(Exchange exchange, Throwable cause) {
        Refusal refusal = Connector.why(cause);
        if (refusal == Refusal.OVERLOADED) {
            exchange.outcome().reason(Connector.NO_DESCRIPTOR);
        }
        exchange.refuse(refusal);
    }

    private void tunnel(Exchange exchange, ForwardPolicy policy, Channel destination) {
        exchange.outcome().markForwarded();
        exchange.outcome().status(200);
        tunnels.getAndIncrement();
        destination.closeFuture().addListener(closed -> tunnels.getAndDecrement());
        exchange.response().head(new ResponseHead().status(200));
        UpgradedTunnel tunnel = new UpgradedTunnel(
                new ChannelTunnelPeer(destination),
                Unpooled.EMPTY_BUFFER,
                policy.settings().tunnel().idle(),
                policy.settings().tunnel().maxLifetime());
        exchange.response().tunnel(tunnel);
        if (!tunnel.opened()) {
            tunnel.drop();
        }
    }

    /** Initializer that adds nothing: the tunnel or the protocol adds its handlers later. */
    private static final class NoHandlers extends ChannelInitializer<Channel> {

        @Override
        protected void initChannel(Channel channel) {}
    }

    /** Cancels a race when its exchange ends; forgets a race that has ended, so that no open tunnel keeps it. Event loop only. */
    private static final class RaceCancellation implements Exchange.EndListener {

        private @Nullable ConnectionRace race;

        RaceCancellation(ConnectionRace race) {
            this.race = race;
        }

        void drop() {
            race = null;
        }

        @Override
        public void ended(Exchange exchange) {
            ConnectionRace open = race;
            if (open != null) {
                open.cancel();
            }
        }
    }

    private void once(Exchange exchange, Channel destination) {
        RequestHead request = exchange.request();
        HopByHop.strip(request);
        request.set(FieldName.HOST, request.authority());
        ForwardedFields.forward(request, via);
        new UnpooledForward(exchange, protocol, destination, via).start();
    }
}
