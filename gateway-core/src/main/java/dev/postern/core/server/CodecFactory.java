package dev.postern.core.server;

import io.netty.channel.ChannelHandler;
import java.util.function.Supplier;

/** Factory of the codec of one connection, for either protocol of its client. */
record CodecFactory(Supplier<ChannelHandler> http1, Supplier<ChannelHandler> http2) {}
