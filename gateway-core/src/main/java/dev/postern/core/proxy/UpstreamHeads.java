package dev.postern.core.proxy;

import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.StageName;
import dev.postern.core.headers.HopByHop;
import dev.postern.core.http.FieldName;
import dev.postern.core.http.Refusal;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.route.Route;
import dev.postern.core.route.transform.UpgradePolicy;
import dev.postern.core.transport.ChannelTunnelPeer;
import dev.postern.core.transport.TunnelPeer;
import dev.postern.core.tunnel.UpgradedTunnel;
import dev.postern.core.tunnel.UpstreamTunnelPeer;
import dev.postern.core.upstream.connect.UpstreamStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Heads of an upstream's final response: gives them the fields that the client gets, and opens the tunnel of an accepted upgrade. On the loop
 * of the exchange.
 */
final class UpstreamHeads {

    private UpstreamHeads() {}

    /** Forwards an interim head. */
    static void interim(Exchange exchange, ResponseHead head) {
        HopByHop.strip(head);
        exchange.response().interim(head);
    }

    /** Completes the head of a response. Returns the current time, of the loop's ticker. */
    static long received(Exchange exchange, AttemptOwner owner, ResponseHead head) {
        long now = exchange.timeline().mark(StageName.RESPOND);
        exchange.outcome().status(head.status());
        exchange.outcome().responseBegan(now);
        HopByHop.strip(head);
        head.remove(FieldName.PROXY_AUTHENTICATE);
        owner.responded(head);
        transform(exchange, head);
        return now;
    }

    /**
     * Makes the upstream's connection a tunnel; null when the upstream did not prove that it supports the protocol.
     *
     * @param early bytes of the upstream behind the head; taken over
     */
    @Nullable
    static UpgradedTunnel upgraded(
            Exchange exchange, AttemptOwner owner, ResponseHead head, Channel upstream, ByteBuf early) {
        if (!WebSocketKey.proven(exchange.request(), head)) {
            early.release();
            upstream.close();
            exchange.refuse(Refusal.UPSTREAM_MALFORMED);
            return null;
        }
        owner.tunnelled(upstream);
        agreed(exchange, owner, head);
        return open(exchange, new ChannelTunnelPeer(upstream), early);
    }

    /** Makes the upstream's stream a tunnel. */
    static UpgradedTunnel upgraded(Exchange exchange, AttemptOwner owner, ResponseHead head, UpstreamStream upstream) {
        TunnelPeer peer = new UpstreamTunnelPeer(upstream, exchange.loop());
        owner.tunnelled(exchange);
        agreed(exchange, owner, head);
        return open(exchange, peer, Unpooled.EMPTY_BUFFER);
    }

    /** Sends the response that accepts the upgrade, in the client's own protocol version. */
    private static void agreed(Exchange exchange, AttemptOwner owner, ResponseHead head) {
        RequestHead request = exchange.request();
        boolean stream = request.majorVersion() > 1;
        head.status(stream ? 200 : 101);
        exchange.outcome().responseBegan(exchange.timeline().mark(StageName.RESPOND));
        exchange.outcome().status(head.status());
        HopByHop.strip(head);
        owner.responded(head);
        WebSocketKey.response(request, head);
        transform(exchange, head);
        if (!stream) {
            head.add(FieldName.CONNECTION, "upgrade");
            head.add(FieldName.UPGRADE, request.upgrade());
        }
        exchange.response().head(head);
    }

    private static void transform(Exchange exchange, ResponseHead head) {
        // Before the gateway's own fields: those on caching and cookies take precedence.
        Route.of(exchange).transform().response().apply(head, exchange);
        exchange.upstreamResponded(head);
    }

    private static UpgradedTunnel open(Exchange exchange, TunnelPeer upstream, ByteBuf early) {
        UpgradePolicy limits = Route.of(exchange).transform().policy();
        UpgradedTunnel opening = new UpgradedTunnel(upstream, early, limits.idle(), limits.maxLifetime());
        exchange.response().tunnel(opening);
        if (!opening.opened()) {
            opening.drop();
        }
        return opening;
    }
}
