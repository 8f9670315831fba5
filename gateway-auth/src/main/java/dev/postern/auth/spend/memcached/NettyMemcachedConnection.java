package dev.postern.auth.spend.memcached;

import dev.postern.auth.spend.memcached.command.MemcachedCommand;
import dev.postern.auth.spend.memcached.command.MemcachedEncoding;
import dev.postern.auth.spend.store.StoreReply;
import dev.postern.auth.spend.store.WriteTiming;
import dev.postern.core.transport.TcpInfo;
import dev.postern.core.transport.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Netty connection that belongs to one event loop. All commands of one pass of the loop are written into one buffer and sent with one
 * write; responses arrive on the same loop, without a change of threads.
 *
 * <p>Does not reconnect. When the connection has ended, {@link MemcachedServer} opens another one.
 */
final class NettyMemcachedConnection extends ByteToMessageDecoder implements MemcachedConnection {

    private static final Logger LOG = LoggerFactory.getLogger(NettyMemcachedConnection.class);
    private static final int CONNECT_MILLIS = 1_000;

    /** Size of the buffer in bytes at which it is written before the end of the pass. */
    private static final int FULL = 64 * 1024;

    private static final int FIRST_CAPACITY = 1024;

    private final EventLoop loop;
    private final MarkedConnection connection;
    private final MemcachedEncoding encoding;
    private final ByteBuffer scratch;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Runnable flush = this::flush;

    private final MemcachedReplyDecoder decoder;

    /** Number of sent commands, of spends and others. */
    private final AtomicLong sent = new AtomicLong();

    private @Nullable ByteBuf out;

    /** Timing of the commands in {@link #out}. */
    private WriteTiming timing = new WriteTiming();

    /** Whether {@link #out} holds spends, so that the {@code gets} of the epoch marker must follow. */
    private boolean unmarked;

    private boolean flushScheduled;
    private volatile @Nullable Channel channel;
    private volatile boolean ended;

    NettyMemcachedConnection(EventLoop loop, MarkedConnection connection, MemcachedEncoding encoding) {
        this.loop = loop;
        this.connection = connection;
        this.encoding = encoding;
        this.scratch = ByteBuffer.allocate(encoding.longestAdd());
        this.decoder = new MemcachedReplyDecoder(this, encoding.epoch());
    }

    /** Opens a connection on the loop, as {@link Opener#open}. */
    static MemcachedConnection open(
            InetSocketAddress address, MarkedConnection connection, MemcachedEncoding encoding, EventLoop loop) {
        NettyMemcachedConnection memcachedConnection = new NettyMemcachedConnection(loop, connection, encoding);
        new Bootstrap()
                .group(loop)
                .channel(Transport.channelOf(loop))
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
                .handler(memcachedConnection)
                .connect(address)
                .addListener(connected -> {
                    if (!connected.isSuccess()) {
                        memcachedConnection.ended = true;
                        connection.failed(connected.cause());
                    }
                });
        return memcachedConnection;
    }

    @Override
    public MarkedConnection connection() {
        return connection;
    }

    @Override
    public boolean enter() {
        // Only the loop writes the number; other threads read.
        int previous = inFlight.getPlain();
        if (previous >= MAX_IN_FLIGHT) {
            return false;
        }
        inFlight.setRelease(previous + 1);
        return true;
    }

    @Override
    public void leave() {
        inFlight.setRelease(inFlight.getPlain() - 1);
    }

    @Override
    public int inFlight() {
        return inFlight.get();
    }

    @Override
    public void spend(PendingAdd add) {
        Channel target = channel;
        if (target == null || !target.isActive()) {
            leave();
            add.settled(StoreReply.UNSENT);
            return;
        }
        add.write(encoding, scratch.clear());
        out(target).writeBytes(scratch.array(), 0, scratch.position());
        add.goes(timing);
        decoder.expect(add);
        unmarked = true;
        count();
        flushLater();
    }

    @Override
    public boolean send(MemcachedCommand command) {
        if (channel == null || ended) {
            return false;
        }
        try {
            loop.execute(() -> write(command));
            return true;
        } catch (RejectedExecutionException e) {
            LOG.debug("event loop has ended; command not sent", e);
            return false;
        }
    }

    private void write(MemcachedCommand command) {
        Channel target = channel;
        if (target == null || !target.isActive()) {
            command.drop();
        } else if (command.mayBeWritten(loop.ticker().nanoTime())) {
            command.writing();
            out(target).writeBytes(command.bytes());
            decoder.expect(command);
            count();
            flushLater();
        }
    }

    /** Counts a command. Only the loop writes the number, so no atomic increment is needed. */
    private void count() {
        sent.lazySet(sent.getPlain() + 1);
    }

    private ByteBuf out(Channel target) {
        ByteBuf gathering = out;
        if (gathering == null) {
            gathering = target.alloc().directBuffer(FIRST_CAPACITY);
            out = gathering;
        }
        return gathering;
    }

    private void flushLater() {
        ByteBuf gathered = out;
        if (gathered != null && gathered.readableBytes() >= FULL) {
            flush();
        } else if (!flushScheduled) {
            flushScheduled = true;
            // The task runs after all sockets that were ready in this pass have been read.
            loop.execute(flush);
        }
    }

    private void flush() {
        flushScheduled = false;
        ByteBuf gathered = out;
        Channel target = channel;
        if (gathered != null && target != null) {
            if (unmarked) {
                unmarked = false;
                // Behind the spends: a server that still has its marker then had not lost its memory before them.
                gathered.writeBytes(encoding.getsMarker());
                decoder.expectMarker();
            }
            WriteTiming going = timing;
            out = null;
            timing = new WriteTiming();
            going.begin(loop.ticker().nanoTime());
            target.writeAndFlush(gathered)
                    .addListener(written -> going.end(loop.ticker().nanoTime()));
        }
    }

    @Override
    public void readReplies(EventLoop caller, Runnable continuation) {
        // Not in this pass: the next pass begins with reading.
        loop.schedule(continuation, 1, TimeUnit.MILLISECONDS);
    }

    @Override
    public boolean alive() {
        return !ended;
    }

    @Override
    public boolean tcpNoDelay() throws IOException {
        Channel current = channel;
        if (current == null) {
            throw new IOException("not connected");
        }
        return ((SocketChannel) current).config().isTcpNoDelay();
    }

    @Override
    public double segmentsPerCommand() {
        Channel current = channel;
        TcpInfo info = current == null ? null : TcpInfo.of(current);
        return info == null || sent.get() == 0 ? Double.NaN : (double) info.dataSegmentsOut() / sent.get();
    }

    @Override
    public void close() {
        connection.marker(null);
        Channel current = channel;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        connection.established();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        ended = true;
        connection.lost();
        super.channelInactive(context);
    }

    @Override
    protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> none) {}

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        ended = true;
        ByteBuf gathered = out;
        if (gathered != null) {
            out = null;
            gathered.release();
        }
        decoder.lost();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("memcached connection ended", cause);
        connection.failed(cause);
        // Set before close: Netty passes the bytes already read to decode() once more.
        ended = true;
        context.close();
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> none) throws IOException {
        if (ended) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (!decoder.read(in)) {
            throw new CorruptedFrameException("memcached sent a reply without a command");
        }
    }
}
