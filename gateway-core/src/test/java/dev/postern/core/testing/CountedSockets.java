package dev.postern.core.testing;

import dev.postern.core.transport.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Sockets of NIO that count, at the socket, what a gateway reads and writes. One test at a time uses them. */
public final class CountedSockets {

    private static final List<Counts> CLIENTS = new CopyOnWriteArrayList<>();
    private static final List<Counts> UPSTREAMS = new CopyOnWriteArrayList<>();

    private CountedSockets() {}

    /** Replaces the channel types of the transport by counting ones; earlier counts are forgotten. */
    public static Transport in(Transport nio) {
        CLIENTS.clear();
        UPSTREAMS.clear();
        return new Transport(
                nio.name(),
                nio.why(),
                nio.handlers(),
                CountedServer.class,
                CountedUpstream.class,
                nio.datagramChannel(),
                nio.unixChannel());
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

        private void read(int bytes) {
            inThisRead += Math.max(0, bytes);
        }

        private void readComplete() {
            if (inThisRead > 0) {
                reads.incrementAndGet();
                most.accumulateAndGet(inThisRead, Math::max);
                inThisRead = 0;
            }
        }

        private void write(ChannelOutboundBuffer out) {
            if (out.size() > 0) {
                flushes.incrementAndGet();
                buffers.addAndGet(out.size());
            }
        }

        @Override
        public String toString() {
            return "%d reads of %d bytes at most, %d flushes of %d buffers"
                    .formatted(reads(), most(), flushes(), buffers());
        }
    }

    /** Notices the end of each read event. */
    private static final class ReadEnd extends ChannelInboundHandlerAdapter {

        private final Counts counts;

        ReadEnd(Counts counts) {
            this.counts = counts;
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            counts.readComplete();
            ctx.fireChannelReadComplete();
        }
    }

    /** Socket that counts. */
    private abstract static class Counted extends NioSocketChannel {

        private final Counts counts = new Counts();

        Counted() {
            begin(UPSTREAMS);
        }

        Counted(Channel parent, SocketChannel socket) {
            super(parent, socket);
            begin(CLIENTS);
        }

        private void begin(List<Counts> all) {
            all.add(counts);
            pipeline().addFirst(new ReadEnd(counts));
        }

        @Override
        protected int doReadBytes(ByteBuf buffer) throws Exception {
            int n = super.doReadBytes(buffer);
            counts.read(n);
            return n;
        }

        @Override
        protected void doWrite(ChannelOutboundBuffer out) throws Exception {
            counts.write(out);
            super.doWrite(out);
        }
    }

    /** Connection to an upstream. */
    public static final class CountedUpstream extends Counted {}

    private static final class CountedClient extends Counted {

        CountedClient(Channel parent, SocketChannel socket) {
            super(parent, socket);
        }
    }

    /** Listening socket whose connections count. */
    public static final class CountedServer extends NioServerSocketChannel {

        @Override
        protected int doReadMessages(List<Object> accepted) throws Exception {
            @Nullable SocketChannel socket = javaChannel().accept();
            if (socket == null) {
                return 0;
            }
            accepted.add(new CountedClient(this, socket));
            return 1;
        }
    }
}
