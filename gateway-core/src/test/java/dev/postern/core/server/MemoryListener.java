package dev.postern.core.server;

import dev.postern.core.connection.ConnectionHandlers;
import dev.postern.core.http1.codec.HeadWriter;
import dev.postern.core.http2.guard.AbuseLimitListener;
import dev.postern.core.pipeline.ServerPipeline;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.loop.DrainState;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.function.Supplier;

/** Listener without a socket: it admits connections, fills their pipelines, and asks their clients to close, as {@link ProxyServer} does. */
public final class MemoryListener {

    private final ClientChannelInitializer initializer;
    private final ListenerGeneration generation;
    private final EmbeddedChannel listening = new EmbeddedChannel();

    public MemoryListener(
            ListenerSettings settings,
            ServerPipeline pipeline,
            Supplier<RoutingSnapshot> snapshots,
            ConnectionHandlers handlers,
            AbuseLimitListener abuse) {
        initializer = new ClientChannelInitializer(
                pipeline,
                snapshots,
                new SocketOptionsMonitor(),
                handlers,
                abuse,
                new EventLoopLocal<>(loop -> new HeadWriter()));
        generation = ListenerGeneration.of(settings);
        listening.pipeline().addLast(handlers.acceptLimit(generation::admission));
        handlers.accept(listening);
    }

    /** Adds the handlers of a connection that a client has opened, or closes it. */
    public void accept(Channel channel) {
        listening.writeInbound(channel);
        if (channel.equals(listening.readInbound())) {
            initializer.accept(generation, channel);
        }
    }

    /** Returns the number of open connections. */
    public int connections() {
        return generation.clients().size();
    }

    public DrainState state() {
        return generation.state();
    }

    /** Asks clients to close, and lets all exchanges finish. */
    public void announce() {
        generation.ask();
    }

    /** Closes each connection after the responses under way. */
    public void drain() {
        generation.drainNow();
    }
}
