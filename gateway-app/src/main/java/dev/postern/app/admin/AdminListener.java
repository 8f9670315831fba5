package dev.postern.app.admin;

import dev.postern.core.config.ByteRate;
import dev.postern.core.config.ByteSize;
import dev.postern.core.config.Rate;
import dev.postern.core.connection.ConnectionSettings;
import dev.postern.core.connection.ConnectionSettings.HalfClose;
import dev.postern.core.exchange.ClientConnection;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.http1.Http1ServerConnection;
import dev.postern.core.http1.codec.HeadWriter;
import dev.postern.core.net.CidrSet;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.tls.ServerTls;
import dev.postern.core.transport.Transport;
import dev.postern.core.transport.loop.DrainState;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Listener of one admin address, on one event loop that nothing else uses: a stalled client delays neither other clients nor proxied
 * traffic.
 */
final class AdminListener implements AutoCloseable {

    static final int MAX_CONNECTIONS = 32;
    static final int MAX_HALF_PER_PEER = 16;

    private static final int BACKLOG = 64;

    /**
     * Connections accepted per event-loop run: fewer than {@link #MAX_CONNECTIONS}, so that each one is read before it becomes the oldest.
     */
    private static final int ACCEPTED_A_TURN = 4;

    private static final int WRITE_SECONDS = 10;
    private static final ConnectionSettings LIMITS = new ConnectionSettings(
            ByteSize.of("16KiB"),
            256,
            32,
            ByteSize.of("0"),
            ByteSize.of("64KiB"),
            Duration.ofSeconds(3),
            Duration.ofSeconds(3),
            ByteRate.of("0"),
            Duration.ofSeconds(WRITE_SECONDS),
            Duration.ofSeconds(30),
            MAX_CONNECTIONS,
            0,
            Rate.of("0"),
            1,
            HalfClose.REFUSE);
    private static final RoutingSnapshot POLICY = RoutingSnapshot.of(List.of());

    private final String key;
    private final @Nullable ServerTls tls;
    private final AdminExchanges.Handler handler;
    private final EventLoopGroup loop;
    private final HalfRequests<Channel> halves = new HalfRequests<>(MAX_HALF_PER_PEER, MAX_CONNECTIONS);
    private final HeadWriter heads = new HeadWriter();
    private final DrainState state = new DrainState();
    private final ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Channel listening;

    /**
     * @param key of the configuration, for messages
     * @param transport of this address
     * @param tls null for plain TCP
     * @param handler called on the event loop
     * @throws IllegalStateException when the address can't be bound
     */
    AdminListener(
            String key,
            InetSocketAddress address,
            Transport transport,
            @Nullable ServerTls tls,
            AdminExchanges.Handler handler) {
        this.key = key;
        this.tls = tls;
        this.handler = handler;
        this.loop = transport.loops().open(1, new DefaultThreadFactory("postern-admin-loop", true));
        ChannelFuture binding = new ServerBootstrap()
                .group(loop)
                .channel(transport.serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(
                        ChannelOption.RECVBUF_ALLOCATOR,
                        new ServerChannelRecvByteBufAllocator().maxMessagesPerRead(ACCEPTED_A_TURN))
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(channel);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (!binding.isSuccess()) {
            endLoop();
            throw new IllegalStateException(
                    key + ": " + address + ": " + binding.cause().getMessage()
                            + " (expected: an address of this machine that is free)",
                    binding.cause());
        }
        listening = binding.channel();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    private void accept(Channel channel) {
        InetSocketAddress peer = (InetSocketAddress) channel.remoteAddress();
        if (peer == null) {
            channel.close(); // closed by the client before it was accepted
            return;
        }
        Channel dropped = halves.add(channel, peer.getAddress());
        if (dropped != null) {
            dropped.close();
        }
        if (channel.equals(dropped)) {
            return;
        }
        clients.add(channel);
        channel.closeFuture().addListener(closed -> halves.remove(channel));
        ClientConnection client = new ClientConnection(
                new ListenerInfo(key, ListenerInfo.Mode.REVERSE, "", "", CidrSet.NONE, false),
                channel.eventLoop(),
                peer.getAddress(),
                peer.getPort(),
                tls != null);
        channel.pipeline().addLast(new WriteTimeoutHandler(WRITE_SECONDS) {
            @Override
            protected void writeTimedOut(ChannelHandlerContext ctx) {
                ctx.close();
            }
        });
        if (tls != null) {
            channel.pipeline().addLast(tls.handler(channel.alloc()));
        }
        channel.pipeline()
                .addLast(
                        // Close reasons are not counted here: the meter counts client listeners only, and the response
                        // contains the reason.
                        new Http1ServerConnection(LIMITS, () -> POLICY, client, state, heads, reason -> {}),
                        new AdminExchanges(channel, halves, handler));
    }

    @Override
    public void close() {
        // Closed separately: ending the event loop alone can leave the socket listening.
        listening.close().awaitUninterruptibly();
        clients.close().awaitUninterruptibly();
        endLoop();
    }

    private void endLoop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
