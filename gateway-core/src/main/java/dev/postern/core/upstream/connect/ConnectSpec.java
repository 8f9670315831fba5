package dev.postern.core.upstream.connect;

import dev.postern.core.upstream.endpoint.UpstreamSettings;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Specification of a connect: the opener, what is added to the channel, the event loop and the PROXY protocol header.
 *
 * @param protocol as of {@link Connector}
 * @param multiplexing as of {@link Connector}
 */
public record ConnectSpec(
        ChannelOpener opener,
        BiFunction<Channel, UpstreamStream.Owner, UpstreamStream> protocol,
        UpstreamConnection.@Nullable Factory multiplexing,
        EventLoop loop,
        UpstreamSettings.ProxyProtocol proxyProtocol) {}
