package dev.postern.core.testing;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.MockTicker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Channel in memory that behaves as a socket: it reads one piece of what its peer sent whenever the gateway reads, each direction ends alone,
 * and either side can reset it.
 */
final class MemorySocket extends ManualChannel implements DuplexChannel, MemoryEnd {

    /** Bytes that the peer has not read, beyond which the socket takes no more of the gateway. */
    private static final int CAPACITY = 256 * 1024;

    /** Bytes of one read at most. */
    private static final int READ = 64 * 1024;

    private final Queue<byte[]> arriving = new ArrayDeque<>();
    private @Nullable SocketConfig config; // without a value here: the constructor of the superclass sets it
    private final @Nullable MemorySocket shared;
    private final @Nullable InetSocketAddress remote;
    private boolean wanted;
    private boolean ending;
    private boolean lost;
    private boolean inputShutdown;
    private boolean outputShutdown;
    private boolean reset;
    private int held;

    /**
     * @param shared the channel whose event loop this one shares, or null for an own one
     * @param remote address of the peer, or null where it does not count
     */
    MemorySocket(
            MockTicker ticker, @Nullable MemorySocket shared, @Nullable InetSocketAddress remote, boolean halfClosure) {
        super(ticker);
        this.shared = shared;
        this.remote = remote;
        config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, halfClosure);
    }

    // ---- the peer

    /** Sends bytes, which the gateway reads when it wants them, in one piece unless they are more than a read takes. */
    @Override
    public void send(byte[] bytes) {
        for (int offset = 0; offset < bytes.length; offset += READ) {
            arriving.add(Arrays.copyOfRange(bytes, offset, Math.min(bytes.length, offset + READ)));
        }
    }

    @Override
    public void endInput() {
        ending = true;
    }

    @Override
    public void resetByPeer() {
        lost = true;
    }

    /** Returns the bytes that the peer has sent and the gateway has not read. */
    int unread() {
        return arriving.stream().mapToInt(piece -> piece.length).sum();
    }

    @Override
    public byte @Nullable [] sent() {
        ByteBuf next = readOutbound();
        while (next != null && !next.isReadable()) {
            next.release();
            next = readOutbound();
        }
        if (next == null) {
            return null;
        }
        byte[] bytes = new byte[next.readableBytes()];
        next.readBytes(bytes);
        next.release();
        boolean full = held >= CAPACITY;
        held -= bytes.length;
        if (full && held < CAPACITY && isOpen()) {
            unsafe().flush();
            runPendingTasks();
        }
        return bytes;
    }

    @Override
    public boolean ended() {
        return outputShutdown || !isOpen();
    }

    @Override
    public boolean wasReset() {
        return reset;
    }

    // ---- the network

    /** Lets the gateway handle one event, and run its tasks; false when there was nothing to do. */
    boolean step() {
        boolean tasks = hasPendingTasks();
        runPendingTasks();
        if (!isOpen() || !wanted) {
            return tasks;
        }
        byte[] piece = arriving.poll();
        if (piece != null) {
            wanted = false;
            pipeline().fireChannelRead(Unpooled.copiedBuffer(piece));
            pipeline().fireChannelReadComplete();
        } else if (lost) {
            pipeline().fireExceptionCaught(new IOException("Connection reset by peer"));
            close();
        } else if (ending && !inputShutdown) {
            endOfInput();
        } else {
            return tasks;
        }
        runPendingTasks();
        return true;
    }

    private void endOfInput() {
        if (Boolean.TRUE.equals(config().getOption(ChannelOption.ALLOW_HALF_CLOSURE))) {
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
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer in) throws Exception {
        if (lost && !in.isEmpty()) {
            throw new IOException("Broken pipe");
        }
        if (held < CAPACITY) {
            super.doWrite(in);
        }
    }

    @Override
    protected void handleOutboundMessage(Object message) {
        held += ((ByteBuf) message).readableBytes();
        super.handleOutboundMessage(message);
    }

    // ---- the channel

    @Override
    public EventLoop eventLoop() {
        return shared == null ? super.eventLoop() : shared.eventLoop();
    }

    @Override
    public void runPendingTasks() {
        super.runPendingTasks();
        if (shared != null) {
            shared.runPendingTasks();
        }
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return remote == null ? super.remoteAddress0() : remote;
    }

    @Override
    protected SocketAddress localAddress0() {
        return MemoryNetwork.HERE;
    }

    @Override
    public ChannelConfig config() {
        SocketConfig made = config;
        if (made == null) {
            made = new SocketConfig();
            config = made;
        }
        return made;
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
        outputShutdown = true;
        return promise.setSuccess();
    }

    /** Options of the socket that the gateway sets. */
    private final class SocketConfig extends DefaultChannelConfig {

        private boolean halfClosure;

        SocketConfig() {
            super(MemorySocket.this);
        }

        @Override
        public <T> boolean setOption(ChannelOption<T> option, T value) {
            if (option.equals(ChannelOption.SO_LINGER)) {
                reset = true;
                return true;
            }
            if (option.equals(ChannelOption.ALLOW_HALF_CLOSURE)) {
                halfClosure = (Boolean) value;
                return true;
            }
            return super.setOption(option, value);
        }

        @Override
        @SuppressWarnings("unchecked") // the type of this option is Boolean
        public <T> T getOption(ChannelOption<T> option) {
            return option.equals(ChannelOption.ALLOW_HALF_CLOSURE)
                    ? (T) (Boolean) halfClosure
                    : super.getOption(option);
        }

        @Override
        protected void autoReadCleared() {
            wanted = false;
        }
    }
}
