package dev.postern.core.testing;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AbstractChannel;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Connection of a gateway in memory, on an event loop with a thread: it reads one piece of what its peer sent in each turn, each direction
 * ends alone, and either side can reset it. The peer is on any thread.
 */
public final class MemoryConnection extends AbstractChannel implements DuplexChannel, MemoryEnd {

    private static final ChannelMetadata METADATA = new ChannelMetadata(false, 1);

    /** Bytes that the peer has not read, beyond which the connection takes no more of the gateway. */
    private static final int CAPACITY = 256 * 1024;

    /** Bytes of one read at most. */
    private static final int READ = 64 * 1024;

    private final MemoryChannelConfig config = new MemoryChannelConfig(this, () -> wanted = false);
    private final Queue<byte[]> arriving = new ArrayDeque<>();
    private final Queue<byte[]> sent = new ConcurrentLinkedQueue<>();
    private final AtomicInteger held = new AtomicInteger();
    private @Nullable InetSocketAddress local;
    private @Nullable InetSocketAddress remote;
    private @Nullable Runnable reader;
    private boolean wanted;
    private boolean ending;
    private volatile boolean lost;
    private volatile boolean open = true;
    private volatile boolean connected;
    private volatile boolean inputShutdown;
    private volatile boolean outputShutdown;
    private volatile boolean reset;

    /** Creates a connection that the gateway opens; Netty calls it by reflection. */
    public MemoryConnection() {
        super(null);
    }

    /** Creates a connection that the gateway accepts. */
    MemoryConnection(Channel parent, InetSocketAddress local, InetSocketAddress remote) {
        super(parent);
        this.local = local;
        this.remote = remote;
        connected = true;
    }

    // ---- the peer

    @Override
    public void send(byte[] bytes) {
        later(() -> {
            for (int offset = 0; offset < bytes.length; offset += READ) {
                arriving.add(Arrays.copyOfRange(bytes, offset, Math.min(bytes.length, offset + READ)));
            }
        });
    }

    @Override
    public void endInput() {
        later(() -> ending = true);
    }

    @Override
    public void resetByPeer() {
        later(() -> lost = true);
    }

    private void later(Runnable event) {
        eventLoop().execute(() -> {
            event.run();
            step();
        });
    }

    @Override
    public byte @Nullable [] sent() {
        byte[] next = sent.poll();
        if (next != null && held.getAndAdd(-next.length) >= CAPACITY && open) {
            eventLoop().execute(() -> unsafe().flush());
        }
        return next;
    }

    @Override
    public boolean ended() {
        return outputShutdown || !open;
    }

    @Override
    public boolean wasReset() {
        return reset;
    }

    @Override
    public synchronized boolean awaitMore(int millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            while (sent.isEmpty() && !ended()) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void signal() {
        synchronized (this) {
            notifyAll();
        }
        Runnable peer = reader;
        if (peer != null) {
            eventLoop().execute(peer);
        }
    }

    /** Lets the peer read on the loop, whenever there is something. */
    void reader(Runnable peer) {
        reader = peer;
    }

    /** Ends a connection that was never accepted. */
    void refused() {
        reset = true;
        open = false;
        signal();
    }

    // ---- the event loop

    /** Lets the gateway handle one event. */
    private void step() {
        if (!open || !wanted) {
            return;
        }
        byte[] piece = arriving.poll();
        if (piece != null) {
            wanted = false;
            pipeline().fireChannelRead(alloc().buffer(piece.length).writeBytes(piece));
            pipeline().fireChannelReadComplete();
        } else if (lost) {
            pipeline().fireExceptionCaught(new IOException("Connection reset by peer"));
            close();
        } else if (ending && !inputShutdown) {
            endOfInput();
        }
    }

    private void endOfInput() {
        if (Boolean.TRUE.equals(config.getOption(ChannelOption.ALLOW_HALF_CLOSURE))) {
            inputShutdown = true;
            pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
            pipeline().fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
        } else {
            close();
        }
    }

    @Override
    protected void doBeginRead() {
        wanted = true;
        eventLoop().execute(this::step);
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer out) throws IOException {
        boolean any = false;
        for (Object message = out.current(); message != null && held.get() < CAPACITY; message = out.current()) {
            if (lost) {
                throw new IOException("Broken pipe");
            }
            ByteBuf buffer = (ByteBuf) message;
            byte[] bytes = new byte[buffer.readableBytes()];
            buffer.getBytes(buffer.readerIndex(), bytes);
            if (bytes.length > 0) {
                held.addAndGet(bytes.length);
                sent.add(bytes);
                any = true;
            }
            out.progress(bytes.length);
            out.remove();
        }
        if (any) {
            signal();
        }
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new AbstractUnsafe() {
            @Override
            public void connect(SocketAddress to, SocketAddress from, ChannelPromise promise) {
                if (!promise.setUncancellable() || !ensureOpen(promise)) {
                    return;
                }
                MemoryTransport transport = MemoryLoop.transport(MemoryConnection.this);
                remote = (InetSocketAddress) to;
                local = transport.ephemeral();
                if (transport.silent(remote)) {
                    eventLoop().schedule(() -> late(promise), config.getConnectTimeoutMillis(), TimeUnit.MILLISECONDS);
                } else if (transport.connected(remote, MemoryConnection.this)) {
                    eventLoop().execute(() -> connected(promise));
                } else {
                    eventLoop().execute(() -> {
                        promise.tryFailure(new ConnectException("Connection refused: " + to));
                        closeIfClosed();
                        close(voidPromise());
                    });
                }
            }

            private void connected(ChannelPromise promise) {
                if (open) {
                    connected = true;
                    promise.trySuccess();
                    pipeline().fireChannelActive();
                }
            }

            private void late(ChannelPromise promise) {
                if (promise.tryFailure(new ConnectTimeoutException("connection timed out: " + remote))) {
                    close(voidPromise());
                }
            }
        };
    }

    // ---- the channel

    @Override
    protected void doClose() {
        reset |= Integer.valueOf(0).equals(config.getOption(ChannelOption.SO_LINGER));
        open = false;
        signal();
    }

    @Override
    protected void doBind(SocketAddress address) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return loop instanceof MemoryLoop;
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isActive() {
        return open && connected;
    }

    @Override
    protected @Nullable SocketAddress localAddress0() {
        return local;
    }

    @Override
    protected @Nullable SocketAddress remoteAddress0() {
        return remote;
    }

    @Override
    public boolean isInputShutdown() {
        return inputShutdown;
    }

    @Override
    public boolean isOutputShutdown() {
        return outputShutdown;
    }

    @Override
    public boolean isShutdown() {
        return inputShutdown && outputShutdown;
    }

    @Override
    public ChannelFuture shutdownOutput() {
        return shutdownOutput(newPromise());
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
        outputShutdown = true;
        signal();
        return promise.setSuccess();
    }

    @Override
    public ChannelFuture shutdownInput() {
        return shutdownInput(newPromise());
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
        inputShutdown = true;
        return promise.setSuccess();
    }

    @Override
    public ChannelFuture shutdown() {
        return shutdown(newPromise());
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
        inputShutdown = true;
        return shutdownOutput(promise);
    }
}
