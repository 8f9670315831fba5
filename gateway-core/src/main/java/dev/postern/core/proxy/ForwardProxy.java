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
import dev.postern.core.upstream.connect.Connector;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.resolver.AddressResolver;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Forward proxy for clients of forward listeners: a tunnel for CONNECT, one request for absolute-form. The proxy connects to exactly the
 * address that was checked. Thread-safe; each exchange stays on its loop.
 */
public final class ForwardProxy {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final Connector connector;
    private final Connector.SocketGroup group;
    private final Via via;
    private final Predicate<InetSocketAddress> ours;
    private final AtomicInteger tunnels = new AtomicInteger();

    /**
     * @param via the gateway's name in Via
     * @param ours matches the gateway's own addresses, which are always refused
     */
    public ForwardProxy(Connector connector, Connector.SocketGroup group, Via via, Predicate<InetSocketAddress> ours) {
        this.connector = connector;
        this.group = group;
        this.via = via;
        this.ours = ours;
    }

    /** Returns the number of open tunnels. */
    public int tunnels() {
        return tunnels.get();
    }

    /** Forwards the exchange and sends its response, now or later. */
    public void forward(Exchange exchange, ForwardPolicy policy) {
        RequestHead request = exchange.request();
        String host = request.host();
        int port = port(request);
        if (!DestinationPolicy.nameAllowed(policy, host, port)) {
            exchange.refuse(Refusal.DESTINATION_FORBIDDEN);
            return;
        }
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        AddressResolver<InetSocketAddress> resolver = connector.resolver().getResolver(exchange.loop());
        resolver.resolveAll(InetSocketAddress.createUnresolved(bare, port))
                .addListener((Future<List<InetSocketAddress>> found) -> resolved(exchange, policy, found));
    }

    private static int port(RequestHead request) {
        String authority = request.authority();
        String port = authority.substring(request.host().length());
        if (!port.isEmpty()) {
            return Integer.parseInt(port.substring(1));
        }
        return request.scheme().equals("https") ? 443 : 80;
    }

    private void resolved(Exchange exchange, ForwardPolicy policy, Future<List<InetSocketAddress>> found) {
        if (exchange.ended()) {
            return;
        }
        if (!found.isSuccess()) {
            exchange.refuse(Refusal.DESTINATION_UNRESOLVED);
            return;
        }
        InetSocketAddress to = allowed(policy, found.getNow());
        if (to == null) {
            exchange.refuse(Refusal.DESTINATION_FORBIDDEN);
        } else {
            connect(exchange, policy, to);
        }
    }

    /**
     * Returns the address to connect to, or null. One forbidden address forbids the name: a name that resolves to an internal address is
     * not trusted.
     */
    private @Nullable InetSocketAddress allowed(ForwardPolicy policy, List<InetSocketAddress> all) {
        for (InetSocketAddress one : all) {
            if (one.getAddress() == null
                    || !DestinationPolicy.addressAllowed(policy.allowPrivate(), one.getAddress())
                    || ours.test(one)) {
                return null;
            }
        }
        return all.isEmpty() ? null : all.get(0);
    }

    private void connect(Exchange exchange, ForwardPolicy policy, InetSocketAddress to) {
        boolean tunnel = exchange.request().method().equals(Method.CONNECT);
        ChannelFuture connecting =
                connector.connect(exchange.loop(), to, CONNECT_TIMEOUT, group, tunnel, new ChannelHandlerAdapter() {});
        connecting.addListener(done -> {
            exchange.timeline().mark(StageName.CONNECT);
            if (!done.isSuccess()) {
                Refusal refusal = Connector.why(done.cause());
                if (refusal == Refusal.OVERLOADED) {
                    exchange.outcome().reason(Connector.NO_DESCRIPTOR);
                }
                exchange.refuse(refusal);
            } else if (exchange.ended()) {
                connecting.channel().close();
            } else if (tunnel) {
                tunnel(exchange, policy, connecting.channel());
            } else {
                once(exchange, connecting.channel());
            }
        });
    }

    private void tunnel(Exchange exchange, ForwardPolicy policy, Channel destination) {
        exchange.outcome().markForwarded();
        exchange.outcome().status(200);
        tunnels.getAndIncrement();
        destination.closeFuture().addListener(closed -> tunnels.getAndDecrement());
        exchange.response().head(new ResponseHead().status(200));
        exchange.response()
                .tunnel(new UpgradedTunnel(
                        new ChannelTunnelPeer(destination),
                        Unpooled.EMPTY_BUFFER,
                        policy.tunnel().idle(),
                        policy.tunnel().maxLifetime()));
    }

    private void once(Exchange exchange, Channel destination) {
        RequestHead request = exchange.request();
        HopByHop.strip(request);
        request.set(FieldName.HOST, request.authority());
        ForwardedFields.forward(request, via);
        new UnpooledForward(exchange, connector, destination, via).start();
    }
}
