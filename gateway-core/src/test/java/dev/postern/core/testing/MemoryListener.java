package dev.postern.core.testing;

import io.netty.channel.AbstractServerChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Listening channel in memory. The backlog holds connections while the gateway accepts none. */
public final class MemoryListener extends AbstractServerChannel {

    private final MemoryChannelConfig config = new MemoryChannelConfig(this, () -> reads = false);
    private final Queue<MemoryConnection> backlog = new ArrayDeque<>();
    private volatile @Nullable InetSocketAddress address;
    private volatile boolean open = true;
    private boolean reads;

    /** Creates a listener that is not bound; Netty calls it by reflection. */
    public MemoryListener() {}

    /** Connects a client; on any thread. */
    void connect(MemoryConnection client) {
        eventLoop().execute(() -> {
            backlog.add(client);
            accept();
        });
    }

    private void accept() {
        while (open && reads && !backlog.isEmpty()) {
            reads = false;
            pipeline().fireChannelRead(backlog.remove());
            pipeline().fireChannelReadComplete();
        }
    }

    @Override
    protected void doBind(SocketAddress wanted) throws Exception {
        address = MemoryLoop.transport(this).bind((InetSocketAddress) wanted, this);
    }

    @Override
    protected void doBeginRead() {
        reads = true;
        eventLoop().execute(this::accept);
    }

    @Override
    protected void doClose() {
        open = false;
        InetSocketAddress bound = address;
        if (bound != null) {
            MemoryLoop.transport(this).unbind(bound);
        }
        backlog.forEach(MemoryConnection::refused);
        backlog.clear();
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return loop instanceof MemoryLoop;
    }

    @Override
    protected @Nullable SocketAddress localAddress0() {
        return address;
    }

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isActive() {
        return open && address != null;
    }
}
