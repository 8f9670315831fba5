package dev.postern.core.upstream;

import io.netty.channel.EventLoop;

/** By whom, on which loop, with which sockets and which first words connections are opened. */
record ConnectSpec(
        Connector connector, EventLoop loop, Connector.Place place, UpstreamSettings.ProxyProtocol proxyProtocol) {}
