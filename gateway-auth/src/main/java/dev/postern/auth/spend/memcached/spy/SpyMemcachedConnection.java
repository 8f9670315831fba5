package dev.postern.auth.spend.memcached.spy;

import dev.postern.auth.spend.memcached.MarkedConnection;
import dev.postern.auth.spend.memcached.MemcachedConnection;
import dev.postern.auth.spend.memcached.PendingAdd;
import dev.postern.auth.spend.memcached.command.MemcachedCommand;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.store.SharedInFlightLimit;
import dev.postern.auth.spend.store.StoreReply;
import dev.postern.auth.spend.store.WriteTiming;
import dev.postern.core.transport.loop.EventLoopBatcher;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import net.spy.memcached.ConnectionFactory;
import net.spy.memcached.ConnectionFactoryBuilder;
import net.spy.memcached.ConnectionObserver;
import net.spy.memcached.FailureMode;
import net.spy.memcached.MemcachedNode;
import net.spy.memcached.metrics.MetricType;
import net.spy.memcached.ops.Operation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection of spymemcached to one server: a bounded pipeline of commands with an I/O thread of its own.
 *
 * <p>The library reconnects every second, to the first address. The ledger replaces the connection when this doesn't help.
 */
final class SpyMemcachedConnection implements MemcachedConnection {

    /** Length of the library's queues: never full, since a full queue would block the caller and drop the connection. */
    private static final int QUEUE_LENGTH = 4 * MAX_IN_FLIGHT;

    private static final int MAX_IN_BATCH = 64;
    private static final int BUFFER = 16 * 1024;
    private static final long COMMAND_TIMEOUT_MILLIS = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(SpyMemcachedConnection.class);

    static {
        // The library logs to stderr unless another logger is set before the first use.
        if (System.getProperty("net.spy.log.LoggerImpl") == null) {
            System.setProperty("net.spy.log.LoggerImpl", "net.spy.memcached.compat.log.SLF4JLogger");
        }
    }

    private final SharedInFlightLimit limit = new SharedInFlightLimit();
    private final Map<EventLoop, EventLoopBatcher<PendingAdd>> batches = new ConcurrentHashMap<>();
    private final MarkedConnection connection;
    private final MemcachedEncoding encoding;
    private final Ticker ticker;
    private final NodeConnection spy;
    private final MemcachedNode node;
    private volatile boolean closed;

    private SpyMemcachedConnection(
            MarkedConnection connection, MemcachedEncoding encoding, Ticker ticker, NodeConnection spy) {
        this.connection = connection;
        this.encoding = encoding;
        this.ticker = ticker;
        this.spy = spy;
        this.node = spy.getLocator().getAll().iterator().next();
    }

    /** Opens a connection, as {@link Opener#open}. */
    static MemcachedConnection open(
            InetSocketAddress address, MarkedConnection connection, MemcachedEncoding encoding, Ticker ticker)
            throws IOException {
        SpyMemcachedConnection memcachedConnection = new SpyMemcachedConnection(
                connection,
                encoding,
                ticker,
                new NodeConnection(factory(new Observer(connection)), address, connection));
        memcachedConnection.spy.setUncaughtExceptionHandler((thread, e) -> LOG.warn("memcached I/O thread ended", e));
        return memcachedConnection;
    }

    @Override
    public MarkedConnection connection() {
        return connection;
    }

    @Override
    public boolean enter() {
        return limit.enter();
    }

    @Override
    public void leave() {
        limit.leave();
    }

    @Override
    public int inFlight() {
        return limit.inFlight();
    }

    @Override
    public void spend(PendingAdd add) {
        batches.computeIfAbsent(add.loop(), loop -> new EventLoopBatcher<>(loop, MAX_IN_BATCH, this::spend))
                .add(add);
    }

    private void spend(List<PendingAdd> adds) {
        WriteTiming timing = new WriteTiming();
        adds.forEach(add -> add.goes(timing));
        SpendsCommand command = new SpendsCommand(adds, this, bytes(adds), timing, ticker);
        if (!send(command)) {
            command.settle(StoreReply.UNSENT);
        }
    }

    /** Returns the commands of the spends, followed by the {@code gets} of the server's epoch marker. */
    private ByteBuffer bytes(List<PendingAdd> adds) {
        byte[] getsMarker = encoding.getsMarker();
        ByteBuffer bytes = ByteBuffer.allocate(adds.size() * encoding.longestAdd() + getsMarker.length);
        adds.forEach(add -> add.write(encoding, bytes));
        return bytes.put(getsMarker).flip();
    }

    @Override
    public boolean send(MemcachedCommand command) {
        try {
            if (closed || !node.isActive()) {
                return false;
            }
            spy.send(node, new SpyOperation(command, ticker));
            return true;
        } catch (NullPointerException e) {
            // The library read the state of the channel while its I/O thread removed the channel: not connected.
            return false;
        } catch (IllegalStateException e) {
            // The library's queue is full, or the caller was interrupted. Not expected; the command counts as not sent.
            LOG.warn("memcached queue refused a command: {}", e.getMessage());
            return false;
        }
    }

    @Override
    public void readReplies(EventLoop loop, Runnable continuation) {
        spy.readReplies(() -> loop.execute(continuation));
    }

    @Override
    public boolean alive() {
        // An error that the library doesn't expect ends its I/O thread permanently.
        return spy.isAlive();
    }

    @Override
    public boolean tcpNoDelay() throws IOException {
        return node.getChannel().getOption(StandardSocketOptions.TCP_NODELAY);
    }

    @Override
    public void close() {
        closed = true;
        connection.marker(null);
        try {
            spy.shutdown();
        } catch (IOException e) {
            LOG.debug("closing memcached connection", e);
        }
    }

    private static ConnectionFactory factory(ConnectionObserver observer) {
        return new ConnectionFactoryBuilder()
                .setProtocol(ConnectionFactoryBuilder.Protocol.TEXT)
                .setLocatorType(ConnectionFactoryBuilder.Locator.ARRAY_MOD)
                // A node that is down is never replaced by another one: a cancelled spend is UNKNOWN.
                .setFailureMode(FailureMode.Cancel)
                .setInitialObservers(List.of(observer))
                .setOpQueueFactory(() -> new LinkedBlockingQueue<>(QUEUE_LENGTH))
                .setWriteOpQueueFactory(() -> new LinkedBlockingQueue<>(QUEUE_LENGTH))
                .setReadOpQueueFactory(() -> new LinkedBlockingQueue<>(QUEUE_LENGTH))
                .setOpQueueMaxBlockTime(1)
                .setOpTimeout(COMMAND_TIMEOUT_MILLIS)
                .setReadBufferSize(BUFFER)
                .setUseNagleAlgorithm(false)
                .setShouldOptimize(false)
                .setMaxReconnectDelay(1)
                .setEnableMetrics(MetricType.OFF)
                .setDaemon(true)
                .build();
    }

    /** Observer for the library that passes its events on. */
    private record Observer(MarkedConnection connection) implements ConnectionObserver {

        @Override
        public void connectionEstablished(SocketAddress address, int reconnects) {
            connection.established();
        }

        @Override
        public void connectionLost(SocketAddress address) {
            connection.lost();
        }
    }

    /** Connection of the library with access to {@code addOperation} by node: its public methods would hash the key once more. */
    private static final class NodeConnection extends net.spy.memcached.MemcachedConnection {

        private static final SpyLog UNHEARD = new SpyLog(cause -> {});

        /** Null while the library's constructor runs, which starts the I/O thread. */
        private volatile @Nullable SpyLog log;

        /** Null while the library's constructor runs. */
        private volatile @Nullable Queue<Runnable> checks;

        NodeConnection(ConnectionFactory factory, InetSocketAddress address, MarkedConnection connection)
                throws IOException {
            super(
                    factory.getReadBufSize(),
                    factory,
                    List.of(address),
                    factory.getInitialObservers(),
                    factory.getFailureMode(),
                    factory.getOperationFactory());
            log = new SpyLog(connection::failed);
            checks = new ConcurrentLinkedQueue<>();
        }

        @Override
        protected net.spy.memcached.compat.log.Logger getLogger() {
            SpyLog now = log;
            return now == null ? UNHEARD : now;
        }

        /** Runs the continuation on the I/O thread after the next complete pass of writes and reads. */
        void readReplies(Runnable continuation) {
            Objects.requireNonNull(checks).add(continuation);
            selector.wakeup();
        }

        @Override
        public void handleIO() throws IOException {
            Queue<Runnable> queue = checks;
            if (queue == null || queue.isEmpty()) {
                super.handleIO();
                return;
            }
            int size = queue.size();
            selector.wakeup(); // so that select() does not block
            super.handleIO();
            for (int i = 0; i < size; i++) {
                Runnable check = queue.poll();
                if (check != null) {
                    check.run();
                }
            }
        }

        void send(MemcachedNode node, Operation operation) {
            addOperation(node, operation);
        }
    }
}
