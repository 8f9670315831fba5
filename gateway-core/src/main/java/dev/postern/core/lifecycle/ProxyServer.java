package dev.postern.core.lifecycle;

import dev.postern.core.accept.Closures;
import dev.postern.core.accept.Edge;
import dev.postern.core.exchange.Client;
import dev.postern.core.http1.Http1Connection;
import dev.postern.core.http2.BudgetListener;
import dev.postern.core.http2.Http2Connection;
import dev.postern.core.pipeline.ServerPipeline;
import dev.postern.core.route.Listener;
import dev.postern.core.route.Policy;
import dev.postern.core.transport.SocketWatch;
import dev.postern.core.transport.Transport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts clients on the configured addresses, and lets them go when the process goes down.
 *
 * <p>Start and drain block and are called from the main thread, never from an event loop.
 */
public final class ProxyServer {

    private static final Logger LOG = LoggerFactory.getLogger(ProxyServer.class);
    private static final int BACKLOG = 4096;

    /** By itself netty takes one a turn: a busy loop, whose turns are long, would take only some hundred new clients a second. */
    private static final int ACCEPTED_A_TURN = 64;

    private final Transport transport;
    private final EventLoopGroup loops;
    private final ServerPipeline pipeline;
    private final Supplier<Policy> policies;
    private final SocketWatch watch;
    private final Edge edge;
    private final BudgetListener budgets;
    private final Drain drain = new Drain();
    private final List<Channel> accepting = new ArrayList<>();
    private final ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

    /**
     * @param policies the current configuration, asked once for each exchange
     * @param edge what stands before everything else
     * @param budgets told of clients that used a budget of HTTP/2 up
     */
    public ProxyServer(
            Transport transport,
            EventLoopGroup loops,
            ServerPipeline pipeline,
            Supplier<Policy> policies,
            SocketWatch watch,
            Edge edge,
            BudgetListener budgets) {
        this.transport = transport;
        this.loops = loops;
        this.pipeline = pipeline;
        this.policies = policies;
        this.watch = watch;
        this.edge = edge;
        this.budgets = budgets;
    }

    /** Listens on that address and returns the one that was bound; throws {@link IllegalStateException} when it is taken. */
    public InetSocketAddress listen(ListenerSettings settings) {
        ChannelFuture binding = new ServerBootstrap()
                .group(loops)
                .channel(transport.serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.RECVBUF_ALLOCATOR, manyATurn())
                .handler(edge.gate(settings.listener(), settings.proxyProtocol(), settings.tls() != null))
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        accept(settings, channel);
                    }
                })
                .bind(settings.address())
                .awaitUninterruptibly();
        if (!binding.isSuccess()) {
            Throwable cause = binding.cause();
            String hint =
                    cause instanceof BindException ? "an address of this machine that is free" : "an address to bind";
            throw new IllegalStateException(
                    "listeners: " + settings.listener().name() + ": address: " + settings.address() + ": "
                            + cause.getMessage() + " (expected: " + hint + ")",
                    cause);
        }
        accepting.add(binding.channel());
        return (InetSocketAddress) binding.channel().localAddress();
    }

    private static RecvByteBufAllocator manyATurn() {
        ServerChannelRecvByteBufAllocator accepting = new ServerChannelRecvByteBufAllocator();
        accepting.respectMaybeMoreData(false); // epoll's guess, made of bytes read, is always that there are no more
        return accepting.maxMessagesPerRead(ACCEPTED_A_TURN);
    }

    private void accept(ListenerSettings settings, Channel channel) {
        watch.apply("listener " + settings.listener().name(), settings.sockets(), channel);
        clients.add(channel);
        InetSocketAddress peer = (InetSocketAddress) channel.remoteAddress();
        if (peer == null) {
            channel.close(); // gone before it was accepted
            return;
        }
        Listener listener = settings.listener();
        if (settings.proxyProtocol()) {
            ChannelHandler header = edge.proxyHeader(
                    channel, listener, source -> fill(settings, channel, source == null ? peer : source));
            pipeline.begin(channel.pipeline(), edge.stall(channel, listener), header);
        } else {
            pipeline.begin(channel.pipeline(), edge.stall(channel, listener), null);
            fill(settings, channel, peer);
        }
    }

    private void fill(ListenerSettings settings, Channel channel, InetSocketAddress peer) {
        boolean secure = settings.tls() != null;
        Client client = new Client(
                settings.listener(), channel.eventLoop(), peer.getAddress(), peer.getPort(), secure, (InetSocketAddress)
                        channel.localAddress());
        pipeline.fill(channel.pipeline(), tls(settings, channel), codec(settings, client));
    }

    /** What reads and writes that connection, or finds out who should. */
    private ChannelHandler codec(ListenerSettings settings, Client client) {
        Http2Connection.Settings http2 = new Http2Connection.Settings(settings.limits(), settings.http2(), budgets);
        Codecs codecs = new Codecs(
                () -> new Http1Connection(settings.limits(), policies, client, drain),
                () -> new Http2Connection(http2, policies, client, drain));
        if (!settings.protocols().contains(Protocol.H2)) {
            return codecs.http1().get();
        }
        return settings.protocols().contains(Protocol.H1)
                ? new ProtocolChoice(codecs, settings.limits())
                : codecs.http2().get();
    }

    private @Nullable ChannelHandler tls(ListenerSettings settings, Channel channel) {
        if (settings.tls() == null) {
            return null;
        }
        SslHandler handler = settings.tls().handler(channel.alloc());
        handler.handshakeFuture().addListener(done -> {
            // Who left by itself was not closed: load balancers only look whether somebody listens.
            if (!done.isSuccess() && !(done.cause() instanceof ClosedChannelException)) {
                edge.closures()
                        .count(Closures.Why.HANDSHAKE, settings.listener().name());
            }
        });
        return handler;
    }

    /** Addresses that are bound now. */
    public List<InetSocketAddress> addresses() {
        return accepting.stream().map(c -> (InetSocketAddress) c.localAddress()).toList();
    }

    /** Client connections that are open now. */
    public int connections() {
        return clients.size();
    }

    public boolean draining() {
        return drain.begun();
    }

    /**
     * Stops accepting, tells clients to go after the answer they wait for, and closes whoever is still there when the time is over.
     *
     * @return connections that had to be cut off
     */
    public int drain(Duration most) throws InterruptedException {
        drain.begin();
        accepting.forEach(c -> c.close().awaitUninterruptibly());
        clients.forEach(c -> c.pipeline().fireUserEventTriggered(Drain.BEGUN));
        long end = System.nanoTime() + most.toNanos();
        long nextReport = System.nanoTime();
        while (!clients.isEmpty() && System.nanoTime() < end) {
            if (System.nanoTime() >= nextReport) {
                LOG.info("draining: {} connections", clients.size());
                nextReport += Duration.ofSeconds(1).toNanos();
            }
            clients.newCloseFuture().await(50);
        }
        int left = clients.size();
        clients.close().awaitUninterruptibly();
        return left;
    }
}
