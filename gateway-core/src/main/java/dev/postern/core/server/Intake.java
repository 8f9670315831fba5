package dev.postern.core.server;

import dev.postern.core.connection.Closures;
import dev.postern.core.connection.Edge;
import dev.postern.core.connection.FirstBytesHandler;
import dev.postern.core.exchange.Client;
import dev.postern.core.exchange.Listener;
import dev.postern.core.http1.Http1Connection;
import dev.postern.core.http1.codec.HeadWriter;
import dev.postern.core.http2.Http2Connection;
import dev.postern.core.http2.guard.BudgetListener;
import dev.postern.core.pipeline.ServerPipeline;
import dev.postern.core.route.Policy;
import dev.postern.core.transport.SocketWatch;
import dev.postern.core.transport.loop.LoopLocal;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the pipeline of each client that is accepted. Thread-safe.
 *
 * @param policies the current configuration, asked once for each exchange
 * @param edge what stands before everything else
 * @param budgets told of clients that used a budget of HTTP/2 up
 * @param heads writes the heads of answers
 */
record Intake(
        ServerPipeline pipeline,
        Supplier<Policy> policies,
        SocketWatch watch,
        Edge edge,
        BudgetListener budgets,
        LoopLocal<HeadWriter> heads) {

    void accept(Terms terms, Channel channel) {
        ListenerSettings settings = terms.settings();
        Listener listener = settings.listener();
        watch.apply("listener " + listener.name(), settings.sockets(), channel);
        terms.clients().add(channel);
        InetSocketAddress peer = (InetSocketAddress) channel.remoteAddress();
        if (peer == null) {
            channel.close(); // gone before it was accepted
            return;
        }
        if (settings.proxyProtocol()) {
            ChannelHandler header =
                    edge.proxyHeader(channel, listener, source -> fill(terms, channel, source == null ? peer : source));
            pipeline.begin(channel.pipeline(), edge.stall(channel, listener), header);
        } else {
            pipeline.begin(channel.pipeline(), edge.stall(channel, listener), null);
            fill(terms, channel, peer);
        }
    }

    private void fill(Terms terms, Channel channel, InetSocketAddress peer) {
        ListenerSettings settings = terms.settings();
        boolean secure = settings.tls() != null;
        Client client = new Client(
                settings.listener(), channel.eventLoop(), peer.getAddress(), peer.getPort(), secure, (InetSocketAddress)
                        channel.localAddress());
        @Nullable FirstBytesHandler first = firstBytes(settings);
        pipeline.fill(channel.pipeline(), first, tls(settings, channel, first), codec(terms, client));
    }

    /** Http1Connection looks at them by itself when a head is malformed, which costs nobody else anything. */
    private @Nullable FirstBytesHandler firstBytes(ListenerSettings settings) {
        if (settings.tls() != null) {
            return FirstBytesHandler.ofTls(closing(settings));
        }
        return settings.protocols().contains(Protocol.H1) ? null : FirstBytesHandler.ofHttp2(closing(settings));
    }

    private Consumer<Closures.Why> closing(ListenerSettings settings) {
        return why -> edge.closures().count(why, settings.listener().name());
    }

    /** What reads and writes that connection, or finds out who should. */
    private ChannelHandler codec(Terms terms, Client client) {
        ListenerSettings settings = terms.settings();
        Http2Connection.Settings http2 = new Http2Connection.Settings(settings.limits(), settings.http2(), budgets);
        Codecs codecs = new Codecs(
                () -> new Http1Connection(
                        settings.limits(),
                        policies,
                        client,
                        terms.drain(),
                        heads.get(client.loop()),
                        closing(settings)),
                () -> new Http2Connection(http2, policies, client, terms.drain()));
        if (!settings.protocols().contains(Protocol.H2)) {
            return codecs.http1().get();
        }
        return settings.protocols().contains(Protocol.H1)
                ? new ProtocolChoice(codecs, settings.limits())
                : codecs.http2().get();
    }

    private @Nullable ChannelHandler tls(
            ListenerSettings settings, Channel channel, @Nullable FirstBytesHandler first) {
        if (settings.tls() == null) {
            return null;
        }
        SslHandler handler = settings.tls().handler(channel.alloc());
        handler.handshakeFuture().addListener(done -> {
            // Who left by itself was not closed: load balancers only look whether somebody listens.
            boolean left = done.cause() instanceof ClosedChannelException;
            if (!done.isSuccess() && !left && (first == null || !first.mistaken())) {
                closing(settings).accept(Closures.Why.HANDSHAKE);
            }
        });
        return handler;
    }
}
