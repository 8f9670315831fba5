package dev.postern.core.testing;

import dev.postern.core.transport.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.socket.SocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Sockets that count, next to the kernel, what a gateway reads and writes. One test at a time uses them. */
public final class CountedSockets {

    private static final List<Counts> CLIENTS = new CopyOnWriteArrayList<>();
    private static final List<Counts> UPSTREAMS = new CopyOnWriteArrayList<>();

    private CountedSockets() {}

    /** Counts at the sockets of the transport; earlier counts are forgotten. */
    public static Transport in(Transport transport) {
        CLIENTS.clear();
        UPSTREAMS.clear();
        IoHandlerFactory handlers = ((Transport.IoLoops) transport.loops()).handlers();
        return new Transport(
                transport.name(),
                transport.why(),
                new Transport.IoLoops(executor -> new Counting(handlers.newHandler(executor))),
                transport.serverChannel(),
                transport.channel(),
                transport.datagramChannel(),
                transport.unixChannel());
    }

    /** Returns the counts of the only connection to a client. */
    public static Counts client() {
        return only(CLIENTS);
    }

    /** Returns the counts of the only connection to an upstream. */
    public static Counts upstream() {
        return only(UPSTREAMS);
    }

    private static Counts only(List<Counts> all) {
        if (all.size() != 1) {
            throw new IllegalStateException("connections: " + all.size() + " (expected: 1)");
        }
        return all.get(0);
    }

    /** Counts of one socket; read between two pauses of the event loop. */
    public static final class Counts {

        private final AtomicInteger reads = new AtomicInteger();
        private final AtomicInteger flushes = new AtomicInteger();
        private final AtomicInteger buffers = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();
        private int inThisRead;
        private int inThisFlush;

        /** Returns the number of read events that brought bytes. */
        public int reads() {
            return reads.get();
        }

        /** Returns the number of writes to the socket. */
        public int flushes() {
            return flushes.get();
        }

        /** Returns the number of buffers in these writes. */
        public int buffers() {
            return buffers.get();
        }

        /** Returns the most bytes of one read event. */
        public int most() {
            return most.get();
        }

        /** Forgets all counts. */
        public void reset() {
            reads.set(0);
            flushes.set(0);
            buffers.set(0);
            most.set(0);
        }

        private void readComplete() {
            if (inThisRead > 0) {
                reads.incrementAndGet();
                most.accumulateAndGet(inThisRead, Math::max);
                inThisRead = 0;
            }
        }

        private void flush() {
            if (inThisFlush > 0) {
                flushes.incrementAndGet();
                buffers.addAndGet(inThisFlush);
                inThisFlush = 0;
            }
        }

        @Override
        public String toString() {
            return "%d reads of %d bytes at most, %d flushes of %d buffers"
                    .formatted(reads(), most(), flushes(), buffers());
        }
    }

    /** Handler next to the socket: each read event and each write passes it. */
    private static final class Counter extends ChannelDuplexHandler {

        private final Counts counts;

        Counter(Counts counts) {
            this.counts = counts;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            counts.inThisRead += ((ByteBuf) message).readableBytes();
            ctx.fireChannelRead(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            counts.readComplete();
            ctx.fireChannelReadComplete();
        }

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            counts.inThisFlush++;
            ctx.write(message, promise);
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            counts.flush();
            ctx.flush();
        }
    }

    /** Handler of the kernel's events that counts at each connection which is registered with it. */
    private record Counting(IoHandler handler) implements IoHandler {

        @Override
        public IoRegistration register(IoHandle handle) throws Exception {
            Channel channel = ((Channel.Unsafe) handle).voidPromise().channel();
            if (channel instanceof SocketChannel) {
                Counts counts = new Counts();
                channel.pipeline().addFirst(new Counter(counts));
                (channel.parent() == null ? UPSTREAMS : CLIENTS).add(counts);
            }
            return handler.register(handle);
        }

        @Override
        public void initialize() {
            handler.initialize();
        }

        @Override
        public int run(IoHandlerContext context) {
            return handler.run(context);
        }

        @Override
        public void prepareToDestroy() {
            handler.prepareToDestroy();
        }

        @Override
        public void destroy() {
            handler.destroy();
        }

        @Override
        public void wakeup() {
            handler.wakeup();
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> type) {
            return handler.isCompatible(type);
        }
    }
}
