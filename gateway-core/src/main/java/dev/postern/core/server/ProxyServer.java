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
 * Accepts clients on the configured addresses, changes those while it runs, and lets clients go when the process goes down.
 *
 * <p>Start, change and drain block and are called by one thread at a time, never by an event loop.
 */
public final class ProxyServer {

    private static final Logger LOG = LoggerFactory.getLogger(ProxyServer.class);
    private static final int BACKLOG = 4096;

    /** By itself netty takes one a turn: a busy loop, whose turns are long, would take only some hundred new clients a second. */
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
     * @param policies the current configuration, asked once for each exchange
     * @param handlers what stands before everything else
     * @param budgets told of clients that used a budget of HTTP/2 up
     */
    public ProxyServer(
            Transport transport,
            EventLoopGroup loops,
            ServerPipeline pipeline,
            Supplier<RoutingSnapshot> policies,
            SocketOptionsMonitor monitor,
            ConnectionHandlers handlers,
            AbuseLimitListener budgets) {
        this.transport = transport;
        this.loops = loops;
        this.monitor = monitor;
        this.handlers = handlers;
        this.initializer = new ClientChannelInitializer(
                pipeline, policies, monitor, handlers, budgets, new EventLoopLocal<>(loop -> new HeadWriter()));
    }

    /** Listens on that address too and returns the one that was bound; throws {@link IllegalStateException} when it is taken. */
    public InetSocketAddress listen(ListenerSettings settings) {
        BoundListener socket = bind(settings);
        listening.add(socket);
        socket.accept(handlers);
        return socket.bound();
    }

    /**
     * Gets ready for other listeners in place of those that there are. Sockets whose addresses stay the same stay open, whatever their
     * listeners are called.
     *
     * @throws IllegalStateException when one of them can't be had; then nothing has changed
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

    /** The plan is in force: those that it doesn't keep are let go. */
    void take(ListenerUpdate update, List<BoundListener> opened) {
        List<BoundListener> gone =
                listening.stream().filter(socket -> !update.keeps(socket)).toList();
        opened.forEach(socket -> socket.accept(handlers));
        listening.addAll(opened);
        listening.removeAll(gone);
        leaving.removeIf(generation -> generation.clients().isEmpty());
        for (BoundListener socket : gone) {
            socket.close();
            leaving.addAll(socket.all());
            socket.all().forEach(ListenerGeneration::ask);
        }
    }

    private BoundListener bind(ListenerSettings settings) {
        AtomicSnapshot<ListenerGeneration> terms = new AtomicSnapshot<>(ListenerGeneration.of(settings));
        ChannelFuture binding = new ServerBootstrap()
                .group(loops)
                .channel(transport.serverChannel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.AUTO_READ, false) // until everything else is in force that clients will need
                .option(ChannelOption.RECVBUF_ALLOCATOR, manyATurn())
                .handler(handlers.gate(() -> terms.get().admission()))
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        initializer.accept(terms.get(), channel);
                    }
                })
                .bind(settings.address())
                .awaitUninterruptibly();
        if (!binding.isSuccess()) {
            throw new IllegalStateException(problem(settings, binding.cause()), binding.cause());
        }
        monitor.listening("listener " + settings.listener().name(), binding.channel());
        return new BoundListener(binding.channel(), terms);
    }

    private static String problem(ListenerSettings settings, Throwable cause) {
        String message = String.valueOf(cause.getMessage()); // of Java, or of the kernel behind the name of its call
        String found = message.endsWith(IN_USE)
                ? "in use (expected: an address of this machine that no other program listens on)"
                : message + " (expected: an address of this machine that may be bound)";
        return "listeners: " + settings.listener().name() + ": address: "
                + NetUtil.toSocketAddressString(settings.address()) + ": " + found;
    }

    private static RecvByteBufAllocator manyATurn() {
        ServerChannelRecvByteBufAllocator accepting = new ServerChannelRecvByteBufAllocator();
        accepting.respectMaybeMoreData(false); // epoll's guess, made of bytes read, is always that there are no more
        return accepting.maxMessagesPerRead(ACCEPTED_A_TURN);
    }

    /** Addresses that are bound now. */
    public List<InetSocketAddress> addresses() {
        return listening.stream().map(BoundListener::bound).toList();
    }

    /** Where the listener of that name was bound; throws {@link IllegalArgumentException} when there is none. */
    public InetSocketAddress address(String listener) {
        return listening.stream()
                .filter(socket -> socket.settings().listener().name().equals(listener))
                .findFirst()
                .map(BoundListener::bound)
                .orElseThrow(
                        () -> new IllegalArgumentException("listener: " + listener + " (expected: one that is open)"));
    }

    /** Client connections that are open now. */
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

    /**
     * Stops accepting, tells clients to go after the response they wait for, and closes whoever is still there when the time is over.
     *
     * @return connections that had to be cut off
     */
    public int drain(Duration most) throws InterruptedException {
        draining = true;
        List<ListenerGeneration> all = all();
        all.forEach(generation -> generation.state().begin());
        listening.forEach(BoundListener::close);
        all.forEach(ListenerGeneration::drainNow);
        long end = System.nanoTime() + most.toNanos();
        long nextReport = System.nanoTime();
        while (connections() > 0 && System.nanoTime() < end) {
            if (System.nanoTime() >= nextReport) {
                LOG.info("draining: {} connections", connections());
                nextReport += Duration.ofSeconds(1).toNanos();
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        int left = connections();
        all.forEach(generation -> generation.clients().close().awaitUninterruptibly());
        return left;
    }
}
