package dev.postern.core.proxy;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.PipelineTurn;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.http.RequestHead;
import dev.postern.core.net.CidrSet;
import dev.postern.core.net.Nat64Prefixes;
import dev.postern.core.route.ForwardPolicy;
import dev.postern.core.route.Route;
import dev.postern.core.route.RouteTable;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RecordedResponse;
import io.netty.channel.EventLoop;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Creates exchanges of a forward listener, their policy and their resolver, all without sockets. */
final class ForwardFixture {

    private static final Nat64Prefixes NAT64 = Nat64Prefixes.of(List.of("64:ff9b::/96", "64:ff9b:1::/48"));

    private ForwardFixture() {}

    /** Returns the policy with the default prefixes. */
    static DestinationPolicy destinations(Predicate<InetSocketAddress> ours) {
        return new DestinationPolicy(NAT64, ours);
    }

    static ForwardPolicy policy(List<String> tcpPorts, List<String> udpPorts) {
        Route route = new Route(
                "forward:default", "*", "/", "", Route.Token.OFF, null, Route.Preflight.REFUSE, Duration.ZERO, 0);
        return new ForwardPolicy(
                route,
                ForwardPolicy.Ports.of(tcpPorts, udpPorts),
                List.of("*"),
                CidrSet.NONE,
                KeyDefaults.of(ForwardPolicy.Tunnel.class),
                KeyDefaults.of(ForwardPolicy.Udp.class));
    }

    static Exchange exchange(EventLoop loop, RequestHead head, ForwardPolicy policy, RecordedResponse response) {
        ListenerInfo listener = new ListenerInfo("out", ListenerInfo.Mode.FORWARD, "default", "", CidrSet.NONE, false);
        ClientConnection client = new ClientConnection(listener, loop, InetAddress.getLoopbackAddress(), 4711, false);
        Exchange.Carrier carrier = new Exchange.Carrier(RequestBody.EMPTY, response, PipelineTurn.NOW);
        return response.of(new RoutingSnapshot(new RouteTable(List.of()), Map.of("default", policy), Map.of())
                .rule(new Exchange(client, head, carrier, new Timeline(loop.ticker()))));
    }

    /** Names as the test knows them. */
    @FunctionalInterface
    interface Names {

        /** Completes the promise with all addresses of a name, at once or later. */
        void resolve(String name, Promise<List<InetAddress>> promise);
    }

    /** Resolvers that ask the test, but for addresses. */
    static final class Resolvers extends AddressResolverGroup<InetSocketAddress> {

        private final Names names;

        Resolvers(Names names) {
            this.names = names;
        }

        @Override
        public AddressResolver<InetSocketAddress> getResolver(EventExecutor executor) {
            return newResolver(executor); // an embedded loop has no end that a resolver could wait for
        }

        @Override
        protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
            return new InetNameResolver(executor) {
                @Override
                protected void doResolve(String name, Promise<InetAddress> promise) {
                    throw new UnsupportedOperationException();
                }

                @Override
                protected void doResolveAll(String name, Promise<List<InetAddress>> promise) {
                    InetAddress literal = NetUtil.createInetAddressFromIpAddressString(name);
                    if (literal == null) {
                        names.resolve(name, promise);
                    } else {
                        promise.setSuccess(List.of(literal));
                    }
                }
            }.asAddressResolver();
        }
    }
}
