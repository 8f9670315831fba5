package dev.postern.core.upstream.connect;

import dev.postern.core.http.Refusal;
import dev.postern.core.rate.LogRateLimiter;
import dev.postern.core.tls.ClientTls;
import dev.postern.core.tls.certificate.TlsFailure;
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
import io.netty.util.concurrent.Ticker;
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
 * Opens connections on the caller's event loop, with the gateway's socket options and deadline. Thread-safe.
 *
 * @param resolver for names; called on the loop, must not block
 * @param protocol adds the protocol to a new channel's pipeline, where a connection carries one exchange at a time
 * @param multiplexing the same where a connection carries several exchanges at once; else null
 * @param tls TLS below the protocol, or null for plain TCP
 * @param ticker of the gateway's event loops
 * @param tlsLogLimiter limits the log lines about failed handshakes
 * @param descriptorsLogLimiter limits the log lines about missing file descriptors
 */
public record Connector(
        Transport transport,
        SocketOptionsMonitor monitor,
        AddressResolverGroup<InetSocketAddress> resolver,
        BiFunction<Channel, UpstreamStream.Owner, UpstreamStream> protocol,
        UpstreamConnection.@Nullable Factory multiplexing,
        @Nullable ClientTls tls,
        Ticker ticker,
        LogRateLimiter tlsLogLimiter,
        LogRateLimiter descriptorsLogLimiter) {

    /** Reason of a refusal when no socket is left. */
    public static final String NO_DESCRIPTOR = "descriptors";

    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

    /** Creates a connector of plain connections. */
    public Connector(
            Transport transport,
            SocketOptionsMonitor monitor,
            AddressResolverGroup<InetSocketAddress> resolver,
            BiFunction<Channel, UpstreamStream.Owner, UpstreamStream> protocol,
            Ticker ticker) {
        this(
                transport,
                monitor,
                resolver,
                protocol,
                null,
                null,
                ticker,
                new LogRateLimiter(ticker),
                new LogRateLimiter(ticker));
    }

    /** Returns a copy with TLS; plain when null. */
    public Connector with(@Nullable ClientTls other) {
        return new Connector(
                transport,
                monitor,
                resolver,
                protocol,
                multiplexing,
                other,
                ticker,
                tlsLogLimiter.another(),
                descriptorsLogLimiter);
    }

    /** Returns a copy with connections that carry several exchanges at once; one at a time when null. */
    public Connector multiplexed(UpstreamConnection.@Nullable Factory other) {
        return new Connector(
                transport,
                monitor,
                resolver,
                protocol,
                other,
                tls,
                ticker,
                tlsLogLimiter.another(),
                descriptorsLogLimiter);
    }

    /** Returns an opener of channels of one group, which are not half-closed. */
    public ChannelOpener opener(SocketGroup group) {
        return (loop, address, timeout, handler) -> connect(loop, address, timeout, group, false, handler);
    }

    /**
     * Connects; done when the channel is connected and its TLS handshake, if any, is complete. Both share the timeout.
     *
     * @param group the sockets that the connection belongs to in the report of the hidden context
     * @param handler for the new channel, or an initializer that adds nothing
     */
    public ChannelFuture connect(
            EventLoop loop,
            SocketAddress address,
            Duration timeout,
            SocketGroup group,
            boolean halfClosure,
            ChannelHandler handler) {
        long start = loop.ticker().nanoTime();
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
                            group.sockets().applyLocal(channel);
                        } else {
                            monitor.apply(group.name(), group.sockets(), channel);
                            group.sockets().keepAlive().apply(channel);
                        }
                        channel.pipeline().addLast(handler);
                    }
                })
                .connect(address);
        if (connecting.cause() != null && Descriptors.exhausted(connecting.cause())) {
            return noSocket(loop, connecting);
        }
        return tls == null ? connecting : secured(tls, connecting, address, group, start + timeout.toNanos());
    }

    /** Completes on the event loop: without a channel Netty reports the failure on a thread of its own. */
    private ChannelFuture noSocket(EventLoop loop, ChannelFuture failed) {
        if (descriptorsLogLimiter.tryAcquire()) {
            LOG.warn("no file descriptor is left for connections to upstreams (ulimit -n; see /context)");
        }
        return new DefaultChannelPromise(failed.channel(), loop).setFailure(failed.cause());
    }

    private ChannelFuture secured(
            ClientTls with, ChannelFuture connecting, SocketAddress address, SocketGroup group, long end) {
        Channel channel = connecting.channel();
        ChannelPromise whole = channel.newPromise();
        connecting.addListener(connected -> {
            if (!connected.isSuccess()) {
                whole.setFailure(connected.cause());
                return;
            }
            Duration remaining = Duration.ofNanos(
                    Math.max(1, end - channel.eventLoop().ticker().nanoTime()));
            SslHandler handler = with.handler(channel.alloc(), address, remaining);
            handler.handshakeFuture().addListener(shaken -> {
                @Nullable Throwable failure = shaken.isSuccess() ? with.fault(handler, address) : shaken.cause();
                if (failure == null) {
                    whole.setSuccess();
                } else {
                    channel.close();
                    whole.setFailure(tlsFailure(failure, group));
                }
            });
            channel.pipeline().addFirst("tls", handler);
        });
        return whole;
    }

    private SSLException tlsFailure(Throwable cause, SocketGroup group) {
        if (tlsLogLimiter.tryAcquire()) {
            LOG.warn("{}: TLS failed: {}", group.name(), TlsFailure.reason(cause));
        }
        return cause instanceof SSLException known ? known : new SSLException("the connection ended", cause);
    }

    /** Group of sockets in the report of the hidden context, and their options. */
    public record SocketGroup(String name, SocketOptions sockets) {}

    /** Returns the refusal for a failed connect; {@link Refusal#OVERLOADED} when the gateway itself had no socket. */
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
