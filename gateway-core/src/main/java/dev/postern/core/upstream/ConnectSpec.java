package dev.postern.core.upstream;

import io.netty.channel.EventLoop;

/** Specification of a connect: the connector, the event loop, the socket options and the PROXY protocol header. */
record ConnectSpec(
        Connector connector, EventLoop loop, Connector.Place place, UpstreamSettings.ProxyProtocol proxyProtocol) {}
