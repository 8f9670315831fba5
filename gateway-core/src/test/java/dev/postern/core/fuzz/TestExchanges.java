package dev.postern.core.fuzz;

import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.exchange.PipelineTurn;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.ResponseSink;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.exchange.TunnelHandler;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.Route;
import dev.postern.core.route.RoutingSnapshot;
import io.netty.buffer.ByteBuf;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Creates clients and exchanges without a connection for fuzz targets. */
public final class TestExchanges {

    /** An event loop group that is never started. */
    private static final EventLoop LOOP = new DefaultEventLoop();

    /** A client whose forwarded fields are not trusted. */
    public static final ClientConnection UNTRUSTED = client(address("192.0.2.7"), CidrSet.NONE);

    private TestExchanges() {}

    public static ClientConnection client(InetAddress peer, CidrSet trusted) {
        ListenerInfo listener = new ListenerInfo("web", ListenerInfo.Mode.REVERSE, "", "", trusted, false);
        return new ClientConnection(listener, LOOP, peer, 4711, false);
    }

    /** Creates an exchange whose response is discarded. */
    public static Exchange exchange(ClientConnection client, RequestHead head, List<Route> routes) {
        Exchange.Carrier carrier = new Exchange.Carrier(RequestBody.EMPTY, new DiscardedResponse(), PipelineTurn.NOW);
        Exchange exchange = RoutingSnapshot.of(routes)
                .rule(new Exchange(client, head, carrier, new Timeline(Ticker.newMockTicker())));
        if (!routes.isEmpty()) {
            routes.get(0).assignTo(exchange);
        }
        return exchange;
    }

    /** Parses an address literal; host names are not resolved. */
    public static InetAddress address(String text) {
        try {
            return InetAddress.getByAddress(NetUtil.createByteArrayFromIpAddressString(text));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text + " (expected: an address)", e);
        }
    }

    private static final class DiscardedResponse implements ResponseSink {

        @Override
        public void interim(ResponseHead head) {}

        @Override
        public void head(ResponseHead head) {}

        @Override
        public void data(ByteBuf data) {
            data.release();
        }

        @Override
        public void end() {}

        @Override
        public void cut() {}

        @Override
        public void flush() {}

        @Override
        public boolean writable() {
            return true;
        }

        @Override
        public void onWritable(Runnable listener) {}

        @Override
        public void tunnel(TunnelHandler peer) {}
    }
}
