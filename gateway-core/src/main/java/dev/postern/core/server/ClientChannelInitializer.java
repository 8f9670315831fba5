package dev.postern.core.server;

import dev.postern.core.connection.CloseReasonMetrics;
import dev.postern.core.connection.ConnectionHandlers;
import dev.postern.core.connection.ForeignProtocolHandler;
import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.http.Protocol;
import dev.postern.core.http1.Http1ServerConnection;
import dev.postern.core.http1.codec.HeadWriter;
import dev.postern.core.http2.Http2ServerConnection;
import dev.postern.core.http2.guard.AbuseLimitListener;
import dev.postern.core.pipeline.ServerPipeline;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.tls.ServerNameHandler;
import dev.postern.core.tls.certificate.TlsFailure;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.security.cert.X509Certificate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * Initializer of the pipeline of each accepted channel. Thread-safe.
 *
 * @param snapshots supplies the current configuration, once for each exchange
 * @param handlers creates the first handlers of the pipeline
 * @param abuseListener notified of clients that exceeded a limit of HTTP/2
 * @param heads writes the heads of responses
 */
record ClientChannelInitializer(
        ServerPipeline pipeline,
        Supplier<RoutingSnapshot> snapshots,
        SocketOptionsMonitor monitor,
        ConnectionHandlers handlers,
        AbuseLimitListener abuseListener,
        EventLoopLocal<HeadWriter> heads) {

    void accept(ListenerGeneration generation, Channel channel) {
        ListenerSettings settings = generation.settings();
        ListenerInfo listener = settings.listener();
        monitor.apply("listener " + listener.name(), settings.sockets(), channel);
        generation.clients().add(channel);
        InetSocketAddress peer = (InetSocketAddress) channel.remoteAddress();
        if (peer == null) {
            channel.close(); // closed before it was accepted
            return;
        }
        if (settings.proxyProtocol()) {
            ChannelHandler header = handlers.proxyHeader(
                    channel,
                    generation.admission(),
                    (source, tls) -> fill(
                            generation,
                            channel,
                            source == null ? peer : source,
                            tls ? ClientConnection.Tls.ON : ClientConnection.Tls.UNKNOWN));
            pipeline.begin(channel.pipeline(), handlers.writeTimeout(channel, listener), header);
        } else {
            pipeline.begin(channel.pipeline(), handlers.writeTimeout(channel, listener), null);
            fill(generation, channel, peer, ClientConnection.Tls.OFF);
        }
    }

    /** @param announced whether the client uses TLS that a load balancer ends */
    private void fill(
            ListenerGeneration generation, Channel channel, InetSocketAddress peer, ClientConnection.Tls announced) {
        ListenerSettings settings = generation.settings();
        ClientConnection.Tls tls = settings.tls() == null ? announced : ClientConnection.Tls.ON;
        ClientConnection client = new ClientConnection(
                settings.listener(), channel.eventLoop(), peer.getAddress(), peer.getPort(), tls, (InetSocketAddress)
                        channel.localAddress());
        if (settings.tls() != null && settings.tls().requiresCertificates()) {
            client.certificates(() -> certificate(channel));
        }
        @Nullable ForeignProtocolHandler foreign = foreignProtocol(settings);
        pipeline.fill(channel.pipeline(), foreign, tls(settings, channel, foreign), codec(generation, client));
    }

    private static @Nullable X509Certificate certificate(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        try {
            return tls == null
                    ? null
                    : (X509Certificate) tls.engine().getSession().getPeerCertificates()[0];
        } catch (SSLPeerUnverifiedException e) {
            return null; // the connection is closed
        }
    }

    /**
     * Returns the handler that checks the first bytes, or null: Http1ServerConnection checks them itself when a head is malformed, at no
     * cost for other requests.
     */
    private @Nullable ForeignProtocolHandler foreignProtocol(ListenerSettings settings) {
        if (settings.tls() != null) {
            return ForeignProtocolHandler.ofTls(closing(settings));
        }
        return settings.protocols().contains(Protocol.H1) ? null : ForeignProtocolHandler.ofHttp2(closing(settings));
    }

    private Consumer<CloseReasonMetrics.Why> closing(ListenerSettings settings) {
        return reason -> handlers.metrics().count(reason, settings.listener().name());
    }

    /** Creates the codec of the connection, or the handler that detects the codec. */
    private ChannelHandler codec(ListenerGeneration generation, ClientConnection client) {
        ListenerSettings settings = generation.settings();
        Http2ServerConnection.Settings http2 = new Http2ServerConnection.Settings(
                settings.limits(), settings.http2(), abuseListener, handlers.windows());
        CodecFactory factory = new CodecFactory(
                () -> new Http1ServerConnection(
                        settings.limits(),
                        snapshots,
                        client,
                        generation.state(),
                        heads.get(client.loop()),
                        closing(settings)),
                () -> new Http2ServerConnection(http2, snapshots, client, generation.state()));
        if (!settings.protocols().contains(Protocol.H2)) {
            return factory.http1().get();
        }
        return settings.protocols().contains(Protocol.H1)
                ? new ProtocolNegotiationHandler(factory, settings.limits())
                : factory.http2().get();
    }

    private @Nullable ChannelHandler tls(
            ListenerSettings settings, Channel channel, @Nullable ForeignProtocolHandler foreign) {
        if (settings.tls() == null) {
            return null;
        }
        ServerNameHandler handler = settings.tls().handler(channel.alloc());
        handler.handshake().addListener(done -> {
            // A client that closed by itself is not counted: load balancers only check the port.
            boolean left = done.cause() instanceof ClosedChannelException;
            if (!done.isSuccess() && !left && (foreign == null || !foreign.mistaken())) {
                handlers.metrics()
                        .count(
                                CloseReasonMetrics.Why.HANDSHAKE,
                                settings.listener().name(),
                                TlsFailure.ofHandshake(handler.name(), done.cause()));
            }
        });
        return handler;
    }
}
