package dev.postern.core.upstream;

import dev.postern.core.refusal.Refusal;
import dev.postern.core.transport.SocketSettings;
import dev.postern.core.transport.SocketWatch;
import dev.postern.core.transport.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.resolver.AddressResolverGroup;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.function.BiFunction;

/**
 * Opens connections on the event loop of whoever asks, with our socket options and deadline. Thread-safe.
 *
 * @param resolver for names; asked on the loop, must not block
 * @param protocol puts the protocol into a new channel's pipeline
 */
public record Connector(
        Transport transport,
        SocketWatch watch,
        AddressResolverGroup<InetSocketAddress> resolver,
        BiFunction<Channel, Wire.Owner, Wire> protocol) {

    /**
     * @param place what the socket is for, in the report of the hidden context
     * @param handler for the new channel, or an initializer that adds nothing
     */
    public ChannelFuture connect(
            EventLoop loop,
            InetSocketAddress address,
            Duration timeout,
            Place place,
            boolean halfClosure,
            ChannelHandler handler) {
        return new Bootstrap()
                .group(loop)
                .channel(transport.channel())
                .resolver(resolver)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.max(1, timeout.toMillis()))
                .option(ChannelOption.ALLOW_HALF_CLOSURE, halfClosure)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        watch.apply(place.name(), place.sockets(), channel);
                        channel.pipeline().addLast(handler);
                    }
                })
                .connect(address);
    }

    /** Where a socket belongs and what is asked of it. */
    public record Place(String name, SocketSettings sockets) {}

    /** Why a connection could not be had, as a refusal. */
    public static Refusal why(Throwable cause) {
        if (cause instanceof ConnectTimeoutException) {
            return Refusal.UPSTREAM_CONNECT_TIMEOUT;
        }
        if (cause instanceof UnknownHostException) {
            return Refusal.UPSTREAM_UNRESOLVED;
        }
        return Refusal.UPSTREAM_REFUSED;
    }
}
