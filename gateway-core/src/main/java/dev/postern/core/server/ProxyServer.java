package dev.postern.core.server;

import dev.postern.core.connection.ConnectionHandlers;
import dev.postern.core.http1.codec.HeadWriter;
import dev.postern.core.http2.guard.AbuseLimitListener;
import dev.postern.core.pipeline.ServerPipeline;
import dev.postern.core.route.RoutingSnapshot;
import dev.postern.core.transport.SocketOptionsMonitor;
import dev.postern.core.transport.Transport;
import dev.postern.core.transport.loop.AtomicSnapshot;
import dev.postern.core.transport.loop.EventLoopLocal;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Ticker;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server that accepts clients on the configured addresses, changes the listeners at run time, and drains connections on shutdown.
 *
 * <p>Start, change and drain block and are called by one thread at a time, never by an event loop.
 */
public final class ProxyServer {

    private static final Logger LOG = LoggerFactory.getLogger(ProxyServer.class);
    private static final int BACKLOG = 4096;

    /**
     * Connections accepted in one pass of the loop. Netty's default is one: a busy loop with long passes would accept only some hundred a
     * second.
     */
    private static final int ACCEPTED_A_TURN = 64;

    private static final String IN_USE = "Address already in use";

    private final Transport transport;
    private final EventLoopGroup loops;
    private final ClientChannelInitializer initializer;
    private final SocketOptionsMonitor monitor;
    private final ConnectionHandlers handlers;
    private final List<BoundListener> listening = new CopyOnWriteArrayList<>();
    private final List<ListenerGeneration> leaving = new CopyOnWriteArrayList<>();
    private volatile boolean draining;

    /**
     * @param snapshots supplies the current configuration, once for each exchange
     * @param handlers creates the first handlers of the pipeline
     * @param budgets notified of clients that exceeded a limit of HTTP/2
     */
    public ProxyServer(
            Transport transport,
            EventLoopGroup loops,
            ServerPipeline pipeline,
            Supplier<RoutingSnapshot> snapshots,
            SocketOptionsMonitor monitor,
            ConnectionHandlers handlers,
            AbuseLimitListener budgets) {
        this.transport = transport;
        this.loops = loops;
        this.monitor = monitor;
        this.handlers = handlers;
        this.initializer = new ClientChannelInitializer(
                pipeline, snapshots, monitor, handlers, budgets, new EventLoopLocal<>(loop -> new HeadWriter()));
    }

    /** Binds another listener and returns its bound address; throws {@link IllegalStateException} when the address is in use. */
    public InetSocketAddress listen(ListenerSettings settings) {
        BoundListener socket = bind(settings);
        listening.add(socket);
        socket.accept(handlers);
        return socket.bound();
    }

    /**
     * Prepares a replacement of the listeners. Sockets whose addresses stay the same stay open, whatever their listeners' names are.
     *
     * @throws IllegalStateException when a socket can't be bound; then nothing has changed
     */
    public ListenerUpdate prepare(List<ListenerSettings> wanted) {
        ListenerUpdate update = new ListenerUpdate(this);
        try {
            for (ListenerSettings one : wanted) {
                listening.stream()
                        .filter(socket -> socket.serves(one) && !update.keeps(socket))
                        .findFirst()
                        .ifPresentOrElse(socket -> update.keep(socket, one), () -> update.open(bind(one)));
            }
            return update;
        } catch (RuntimeException e) {
            update.drop();
            throw e;
        }
    }

    /** Applies an update: listeners that the update does not keep are closed, and their clients are asked to close. */
    void take(ListenerUpdate update, List<BoundListener> opened) {
        List<BoundListener> removed =
                listening.stream().filter(socket -> !update.keeps(socket)).toList();
        opened.forEach(socket -> socket.accept(handlers));
        listening.addAll(opened);
        listening.removeAll(removed);
        leaving.removeIf(generation -> generation.clients().isEmpty());
        for (BoundListener socket : removed) {
            socket.close();
            leaving.addAll(socket.all());
            socket.all().forEach(ListenerGeneration::ask);
        }
    }

    private BoundListener bind(ListenerSettings settings) {
        AtomicSnapshot<ListenerGeneration> generation = new AtomicSnapshot<>(ListenerGeneration.of(settings));
        ChannelFuture binding = new ServerBootstrap()
                .group(loops)
                .channel(transport.serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.AUTO_READ, false) // until the rest of the configuration is in force
                .option(ChannelOption.RECVBUF_ALLOCATOR, manyATurn())
                .handler(handlers.acceptLimit(() -> generation.get().admission()))
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        initializer.accept(generation.get(), channel);
                    }
                })
                .bind(settings.address())
                .awaitUninterruptibly();
        if (!binding.isSuccess()) {
            throw new IllegalStateException(problem(settings, binding.cause()), binding.cause());
        }
        settings.sockets().keepAlive().apply(binding.channel());
        monitor.listening("listener " + settings.listener().name(), binding.channel());
        return new BoundListener(binding.channel(), generation);
    }

    private static String problem(ListenerSettings settings, Throwable cause) {
        String message = String.valueOf(cause.getMessage()); // from Java, or the kernel's behind the system call's name
        String found = message.endsWith(IN_USE)
                ? "in use (expected: an address of this machine that no other program listens on)"
                : message + " (expected: an address of this machine that may be bound)";
        return "listeners: " + settings.listener().name() + ": address: "
                + NetUtil.toSocketAddressString(settings.address()) + ": " + found;
    }

    private static RecvByteBufAllocator manyATurn() {
        ServerChannelRecvByteBufAllocator accepting = new ServerChannelRecvByteBufAllocator();
        accepting.respectMaybeMoreData(false); // epoll's guess, based on bytes read, always expects no more
        return accepting.maxMessagesPerRead(ACCEPTED_A_TURN);
    }

    /** Returns the bound addresses. */
    public List<InetSocketAddress> addresses() {
        return listening.stream().map(BoundListener::bound).toList();
    }

    /** Returns the bound address of the listener; throws {@link IllegalArgumentException} when there is none. */
    public InetSocketAddress address(String listener) {
        return listening.stream()
                .filter(socket -> socket.settings().listener().name().equals(listener))
                .findFirst()
                .map(BoundListener::bound)
                .orElseThrow(
                        () -> new IllegalArgumentException("listener: " + listener + " (expected: one that is open)"));
    }

    /** Returns the number of open client connections. */
    public int connections() {
        return all().stream()
                .mapToInt(generation -> generation.clients().size())
                .sum();
    }

    private List<ListenerGeneration> all() {
        List<ListenerGeneration> all = new ArrayList<>(leaving);
        listening.forEach(socket -> all.addAll(socket.all()));
        return all;
    }

    public boolean draining() {
        return draining;
    }

    /** Announces the end of all connections, those accepted later as well; all requests are served. Before a {@link #drain}. */
    public void announce() {
        all().forEach(ListenerGeneration::ask);
    }

    /**
     * Stops accepting, closes each connection after its responses under way, idle ones after a pause, and the remaining connections after
     * the timeout.
     *
     * @return connections that were cut off
     */
    public int drain(Duration limit) throws InterruptedException {
        draining = true;
        List<ListenerGeneration> all = all();
        all.forEach(generation -> generation.state().begin());
        listening.forEach(BoundListener::close);
        all.forEach(ListenerGeneration::drainNow);
        Ticker ticker = loops.ticker();
        long end = ticker.nanoTime() + limit.toNanos();
        long nextReport = ticker.nanoTime();
        while (connections() > 0 && ticker.nanoTime() - end < 0) {
            if (ticker.nanoTime() - nextReport >= 0) {
                LOG.info("draining: {} connections", connections());
                nextReport += Duration.ofSeconds(1).toNanos();
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        int remaining = connections();
        all.forEach(generation -> generation.clients().close().awaitUninterruptibly());
        return remaining;
    }
}
