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
import dev.postern.core.route.ForwardSettings;
import dev.postern.core.route.Preflight;
import dev.postern.core.route.Route;
import dev.postern.core.route.RouteTable;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.testing.KeyDefaults;
import dev.postern.core.testing.RecordedResponse;
import dev.postern.core.testing.TestRoute;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Creates exchanges of a forward listener, and their policy, without sockets. */
final class ForwardFixture {

    private static final Nat64Prefixes NAT64 = Nat64Prefixes.of(List.of("64:ff9b::/96", "64:ff9b:1::/48"));

    private ForwardFixture() {}

    /** Returns the policy with the default prefixes. */
    static DestinationPolicy destinations(Predicate<InetSocketAddress> ours) {
        return new DestinationPolicy(NAT64, ours);
    }

    static ForwardPolicy policy(List<String> tcpPorts, List<String> udpPorts) {
        Route route = TestRoute.of(
                "forward:default", "*", "/", "", Route.Token.OFF, null, Preflight.REFUSE, Duration.ZERO, 0);
        ForwardSettings.Udp udp = KeyDefaults.of(ForwardSettings.Udp.class, Map.of("allowPorts", udpPorts));
        return new ForwardPolicy(
                route, KeyDefaults.of(ForwardSettings.class, Map.of("allowPorts", tcpPorts, "udp", udp)));
    }

    static Exchange exchange(EventLoop loop, RequestHead head, ForwardPolicy policy, RecordedResponse response) {
        ListenerInfo listener = new ListenerInfo("out", ListenerInfo.Mode.FORWARD, "default", "", CidrSet.NONE, false);
        ClientConnection client = new ClientConnection(listener, loop, InetAddress.getLoopbackAddress(), 4711, false);
        Exchange.Carrier carrier = new Exchange.Carrier(RequestBody.EMPTY, response, PipelineTurn.NOW);
        return response.of(new RoutingSnapshot(new RouteTable(List.of()), Map.of("default", policy), Map.of())
                .rule(new Exchange(client, head, carrier, new Timeline(loop.ticker()))));
    }
}
