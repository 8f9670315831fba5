package dev.postern.core.fuzz;

import dev.postern.core.exchange.Answer;
import dev.postern.core.exchange.Client;
import dev.postern.core.exchange.Exchange;
import dev.postern.core.exchange.Listener;
import dev.postern.core.exchange.RequestBody;
import dev.postern.core.exchange.Timeline;
import dev.postern.core.exchange.Tunnel;
import dev.postern.core.exchange.Turn;
import dev.postern.core.http.RequestHead;
import dev.postern.core.http.ResponseHead;
import dev.postern.core.route.Policy;
import dev.postern.core.route.Route;
import dev.postern.core.transport.Cidrs;
import io.netty.buffer.ByteBuf;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Clients and exchanges without a connection, for rules that want one. */
public final class Asking {

    /** Never started. */
    private static final EventLoop LOOP = new DefaultEventLoop();

    /** One whose forwarded fields nobody believes. */
    public static final Client STRANGER = client(address("192.0.2.7"), Cidrs.NONE);

    private Asking() {}

    public static Client client(InetAddress peer, Cidrs trusted) {
        Listener listener = new Listener("web", Listener.Mode.REVERSE, "", "", trusted, false);
        return new Client(listener, LOOP, peer, 4711, false);
    }

    /** An exchange whose answer goes nowhere. */
    public static Exchange exchange(Client client, RequestHead head, List<Route> routes) {
        Exchange.Carrier carrier = new Exchange.Carrier(RequestBody.EMPTY, new Nowhere(), Turn.NOW);
        Exchange exchange = Policy.of(routes).rule(new Exchange(client, head, carrier, new Timeline(0)));
        if (!routes.isEmpty()) {
            routes.get(0).assignTo(exchange);
        }
        return exchange;
    }

    /** The address that this text spells, no name. */
    public static InetAddress address(String text) {
        try {
            return InetAddress.getByAddress(NetUtil.createByteArrayFromIpAddressString(text));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text + " (expected: an address)", e);
        }
    }

    private static final class Nowhere implements Answer {

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
        public void tunnel(Tunnel peer) {}
    }
}
