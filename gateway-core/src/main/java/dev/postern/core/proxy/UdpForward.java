package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.metrics.Meters;
import dev.postern.core.net.AddressPrefix;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.route.ForwardSettings;
import dev.postern.core.route.UdpTarget;
import dev.postern.core.tunnel.DatagramMeters;
import dev.postern.core.tunnel.UdpConnector;
import dev.postern.core.tunnel.UdpTunnel;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/**
 * Opens UDP tunnels for exchanges of forward listeners (RFC 9298 sections 3.3 and 3.5). Thread-safe; each exchange stays on its loop.
 */
public final class UdpForward {

    private final BiFunction<EventLoop, InetSocketAddress, ChannelFuture> connector;
    private final OutboundSockets sockets;
    private final DatagramMeters meters;
    private final AtomicInteger tunnels = new AtomicInteger();

    /**
     * @param connector opens the sockets
     * @param sockets budget of which each tunnel takes one
     * @param registry for the meters of UDP tunnels
     */
    public UdpForward(UdpConnector connector, OutboundSockets sockets, MeterRegistry registry) {
        this(connector::connect, sockets, registry);
    }

    /** @param connector opens a socket that is connected to the address, with autoRead off */
    UdpForward(
            BiFunction<EventLoop, InetSocketAddress, ChannelFuture> connector,
            OutboundSockets sockets,
            MeterRegistry registry) {
        this.connector = connector;
        this.sockets = sockets;
        this.meters = new DatagramMeters(registry);
        Meters.TUNNELS.gauge(registry, tunnels::get, UdpTarget.PROTOCOL);
    }

    /** Opens a tunnel to a checked address, or refuses the exchange. */
    void open(Exchange exchange, ForwardPolicy policy, InetSocketAddress destination) {
        AddressPrefix client = exchange.clientPrefix();
        if (!sockets.take(client, 1)) {
            ForwardProxy.noSocket(exchange);
            return;
        }
        ChannelFuture connecting = connector.apply(exchange.loop(), destination);
        connecting.addListener(done -> {
            exchange.timeline().mark(StageName.CONNECT);
            if (done.isSuccess()) {
                connecting.channel().closeFuture().addListener(closed -> sockets.give(client, 1));
            } else {
                sockets.give(client, 1);
            }
            if (!done.isSuccess()) {
                ForwardProxy.refuse(exchange, done.cause());
            } else if (exchange.ended()) {
                connecting.channel().close();
            } else {
                accept(exchange, policy.settings().udp(), connecting.channel());
            }
        });
    }

    private void accept(Exchange exchange, ForwardSettings.Udp limits, Channel socket) {
        tunnels.getAndIncrement();
        socket.closeFuture().addListener(closed -> tunnels.getAndDecrement());
        ResponseHead head = accepting(exchange.request());
        exchange.outcome().markForwarded();
        exchange.outcome().status(head.status());
        exchange.response().head(head);
        UdpTunnel tunnel = new UdpTunnel(
                socket,
                new UdpTunnel.Limits(limits.idle(), limits.maxLifetime(), (int)
                        limits.queue().bytes()),
                meters);
        exchange.response().tunnel(tunnel);
        if (!tunnel.opened()) {
            socket.close();
        }
    }

    private static ResponseHead accepting(RequestHead request) {
        ResponseHead head = new ResponseHead().status(request.majorVersion() > 1 ? 200 : 101);
        if (request.majorVersion() == 1) {
            head.add(FieldName.CONNECTION, "upgrade");
            head.add(FieldName.UPGRADE, UdpTarget.PROTOCOL);
        }
        head.add(FieldName.CAPSULE_PROTOCOL, "?1");
        return head;
    }
}
