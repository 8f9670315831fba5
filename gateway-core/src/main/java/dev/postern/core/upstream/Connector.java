package dev.postern.core.upstream;

import dev.postern.core.http.Refusal;
import dev.postern.core.rate.LogRateLimiter;
import dev.postern.core.tls.ClientTls;
import dev.postern.core.transport.Descriptors;
import dev.postern.core.transport.SocketOptions;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.resolver.AddressResolverGroup;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.function.BiFunction;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens connections on the event loop of whoever asks, with our socket options and deadline. Thread-safe.
 *
 * @param resolver for names; asked on the loop, must not block
 * @param protocol puts the protocol into a new channel's pipeline, where a connection carries one exchange at a time
 * @param links the same where a connection carries many at once; else null
 * @param tls what is spoken below the protocol, or null for plain TCP
 * @param tlsLine lets the log lines of failed handshakes through
 * @param descriptorsLine lets the log lines of sockets that could not be had through
 */
public record Connector(
        Transport transport,
        SocketOptionsMonitor monitor,
        AddressResolverGroup<InetSocketAddress> resolver,
        BiFunction<Channel, UpstreamStream.Owner, UpstreamStream> protocol,
        UpstreamConnection.@Nullable Factory links,
        @Nullable ClientTls tls,
        LogRateLimiter tlsLine,
        LogRateLimiter descriptorsLine) {

    /** The reason of a refusal for want of a socket. */
    public static final String NO_DESCRIPTOR = "descriptors";

    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

    /** Opens plain connections. */
    public Connector(
            Transport transport,
            SocketOptionsMonitor monitor,
            AddressResolverGroup<InetSocketAddress> resolver,
            BiFunction<Channel, UpstreamStream.Owner, UpstreamStream> protocol) {
        this(transport, monitor, resolver, protocol, null, null, new LogRateLimiter(), new LogRateLimiter());
    }

    /** The same with TLS; plain when that is null. */
    public Connector with(@Nullable ClientTls other) {
        return new Connector(
                transport, monitor, resolver, protocol, links, other, new LogRateLimiter(), descriptorsLine);
    }

    /** The same with connections that carry many exchanges at once; one at a time when that is null. */
    public Connector multiplexed(UpstreamConnection.@Nullable Factory other) {
        return new Connector(transport, monitor, resolver, protocol, other, tls, new LogRateLimiter(), descriptorsLine);
    }

    /**
     * Done when the connection stands, and its handshake is over where there is one; both within the time-out.
     *
     * @param place what the socket is for, in the report of the hidden context
     * @param handler for the new channel, or an initializer that adds nothing
     */
    public ChannelFuture connect(
            EventLoop loop,
            SocketAddress address,
            Duration timeout,
            Place place,
            boolean halfClosure,
            ChannelHandler handler) {
        long start = System.nanoTime();
        boolean local = address instanceof DomainSocketAddress;
        ChannelFuture connecting = new Bootstrap()
                .group(loop)
                .channel(local ? transport.localChannel() : transport.channel())
                .resolver(resolver)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.max(1, timeout.toMillis()))
                .option(ChannelOption.ALLOW_HALF_CLOSURE, halfClosure)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (local) {
                            place.sockets().applyLocal(channel);
                        } else {
                            monitor.apply(place.name(), place.sockets(), channel);
                        }
                        channel.pipeline().addLast(handler);
                    }
                })
                .connect(address);
        if (connecting.cause() != null && Descriptors.exhausted(connecting.cause())) {
            return noSocket(loop, connecting);
        }
        return tls == null ? connecting : secured(tls, connecting, address, place, start + timeout.toNanos());
    }

    /** Without a channel netty tells of the failure on a thread of its own; here on the loop, as of every other. */
    private ChannelFuture noSocket(EventLoop loop, ChannelFuture failed) {
        if (descriptorsLine.tryAcquire()) {
            LOG.warn("no file descriptor is left for connections to upstreams (ulimit -n; see /context)");
        }
        return new DefaultChannelPromise(failed.channel(), loop).setFailure(failed.cause());
    }

    private ChannelFuture secured(
            ClientTls with, ChannelFuture connecting, SocketAddress address, Place place, long end) {
        Channel channel = connecting.channel();
        ChannelPromise whole = channel.newPromise();
        connecting.addListener(connected -> {
            if (!connected.isSuccess()) {
                whole.setFailure(connected.cause());
                return;
            }
            Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
            SslHandler handler = with.handler(channel.alloc(), address, left);
            handler.handshakeFuture().addListener(shaken -> {
                if (shaken.isSuccess() && with.agreed(handler)) {
                    whole.setSuccess();
                } else if (shaken.isSuccess()) {
                    channel.close();
                    whole.setFailure(tlsFailure(new SSLException("no " + with.protocol() + " by ALPN"), place));
                } else {
                    channel.close();
                    whole.setFailure(tlsFailure(shaken.cause(), place));
                }
            });
            channel.pipeline().addFirst("tls", handler);
        });
        return whole;
    }

    private SSLException tlsFailure(Throwable cause, Place place) {
        if (tlsLine.tryAcquire()) {
            LOG.warn("{}: TLS failed: {}", place.name(), cause.getMessage());
        }
        return cause instanceof SSLException known ? known : new SSLException("the connection ended", cause);
    }

    /** Where a socket belongs and what is asked of it. */
    public record Place(String name, SocketOptions sockets) {}

    /** Why a connection could not be had, as a refusal; {@link Refusal#OVERLOADED} when the gateway itself had no socket for it. */
    public static Refusal why(Throwable cause) {
        if (cause instanceof ConnectTimeoutException || cause instanceof SslHandshakeTimeoutException) {
            return Refusal.UPSTREAM_CONNECT_TIMEOUT;
        }
        if (cause instanceof SSLException) {
            return Refusal.UPSTREAM_TLS;
        }
        if (cause instanceof UnknownHostException) {
            return Refusal.UPSTREAM_UNRESOLVED;
        }
        if (Descriptors.exhausted(cause)) {
            return Refusal.OVERLOADED;
        }
        return Refusal.UPSTREAM_REFUSED;
    }
}
