package dev.postern.core.upstream;

import io.netty.channel.EventLoop;

/** By whom, on which loop and with which sockets connections are opened. */
record Dialling(Connector connector, EventLoop loop, Connector.Place place) {}
