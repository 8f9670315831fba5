package dev.postern.core.upstream.connect;

import dev.postern.core.upstream.endpoint.UpstreamSettings;
import io.netty.channel.EventLoop;

/** Specification of a connect: the connector, the event loop, the socket options and the PROXY protocol header. */
public record ConnectSpec(
        Connector connector,
        EventLoop loop,
        Connector.SocketGroup group,
        UpstreamSettings.ProxyProtocol proxyProtocol) {}
