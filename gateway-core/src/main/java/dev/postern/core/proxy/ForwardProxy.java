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
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.transport.ChannelTunnelPeer;
import dev.postern.core.tunnel.UpgradedTunnel;
import dev.postern.core.upstream.connect.Connector;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Forward proxy for clients of forward listeners: a tunnel for CONNECT and CONNECT-UDP, one request for absolute-form. The proxy connects
 * to exactly the addresses that were checked. Thread-safe; each exchange stays on its loop.
 */
public final class ForwardProxy {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final Connector connector;
    private final Connector.SocketGroup group;
    private final Via via;
    private final DestinationLookup lookup;
    private final UdpForward udp;
    private final AtomicInteger tunnels = new AtomicInteger();

    /**
     * @param via the gateway's name in Via
     * @param lookup finds and checks the addresses of destinations
     * @param udp forwards exchanges that ask for a UDP tunnel
     */
    public ForwardProxy(
            Connector connector, Connector.SocketGroup group, Via via, DestinationLookup lookup, UdpForward udp) {
        this.connector = connector;
        this.group = group;
        this.via = via;
        this.lookup = lookup;
        this.udp = udp;
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
        boolean tunnel = exchange.request().method().equals(Method.CONNECT);
        ConnectionRace race = new ConnectionRace(
                exchange.loop(),
                address ->
                        connector.connect(exchange.loop(), address, CONNECT_TIMEOUT, group, tunnel, new Placeholder()));
        RaceCancellation cancellation = new RaceCancellation(race);
        exchange.whenEnded(cancellation);
        race.start(addresses).addListener((Future<Channel> done) -> {
            cancellation.drop();
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
        destination.pipeline().remove(Placeholder.class);
        tunnels.getAndIncrement();
        destination.closeFuture().addListener(closed -> tunnels.getAndDecrement());
        exchange.response().head(new ResponseHead().status(200));
        UpgradedTunnel tunnel = new UpgradedTunnel(
                new ChannelTunnelPeer(destination),
                Unpooled.EMPTY_BUFFER,
                policy.tunnel().idle(),
                policy.tunnel().maxLifetime());
        exchange.response().tunnel(tunnel);
        if (!tunnel.opened()) {
            tunnel.drop();
        }
    }

    /** Handler that the connector wants for a new channel; a tunnel adds its own later. */
    private static final class Placeholder extends ChannelHandlerAdapter {}

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
        new UnpooledForward(exchange, connector, destination, via).start();
    }
}
