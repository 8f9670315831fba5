package dev.postern.core.server;

import io.netty.channel.ChannelHandler;
import java.util.function.Supplier;

/** Makes the codec of one connection, whichever protocol its client turns out to speak. */
record CodecFactory(Supplier<ChannelHandler> http1, Supplier<ChannelHandler> http2) {}
