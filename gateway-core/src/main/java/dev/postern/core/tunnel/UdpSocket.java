package dev.postern.core.tunnel;

import dev.postern.core.transport.piece.PieceJoiner;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.unix.SegmentedDatagramPacket;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Outbound side of a connected UDP socket: writes datagrams, several with one system call and those of equal length as segments of one
 * buffer, and a bounded number in each iteration of the event loop, in which a tiny one counts as much as a larger one. A path that
 * refuses segments gets single datagrams from then on. Event loop only.
 */
final class UdpSocket {

    private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);

    private final Channel channel;
    private final DatagramMeters.Direction meters;
    private final Runnable endOfIteration = this::endIteration;
    private final Runnable nextIteration = this::beginIteration;
    private final Runnable drained;
    private final DatagramSegments segments;
    private boolean segmented;
    private boolean iterationEnds;
    private boolean unflushed;
    private int cost;

    /** @param drained runs in the next iteration of the loop, when datagrams may be written again after {@link #writable} was false */
    UdpSocket(Channel channel, DatagramMeters.Direction meters, Runnable drained) {
        this(channel, meters, drained, takesSegments(channel));
    }

    /** @param segmented whether the channel takes several datagrams in one buffer */
    UdpSocket(Channel channel, DatagramMeters.Direction meters, Runnable drained, boolean segmented) {
        this.channel = channel;
        this.meters = meters;
        this.drained = drained;
        this.segmented = segmented;
        segments = new DatagramSegments(channel.alloc());
    }

    private static boolean takesSegments(Channel channel) {
        return channel instanceof EpollDatagramChannel && EpollDatagramChannel.isSegmentedDatagramPacketSupported();
    }

    /** Returns whether the socket takes another datagram in this iteration of the loop; once it is full, it stays so to the end of it. */
    boolean writable() {
        if (cost < PieceJoiner.MAX && channel.isWritable()) {
            return true;
        }
        cost = PieceJoiner.MAX;
        flushSoon();
        return false;
    }

    /** Writes a datagram and takes ownership; sends nothing before {@link #flush}, except an empty datagram. */
    void write(ByteBuf datagram) {
        meters.countWritten();
        cost += DatagramQueue.cost(datagram.readableBytes());
        if (!datagram.isReadable()) {
            datagram.release();
            flush(); // keeps the order
            sendEmpty();
        } else if (!segmented) {
            writeSingle(datagram);
        } else if (!segments.add(datagram)) {
            writeSegments();
            segments.add(datagram);
        }
    }

    /** Drops datagrams that were not flushed before the channel closed. */
    void close() {
        meters.countFailed(segments.count());
        ByteBuf datagrams = segments.take();
        if (datagrams != null) {
            datagrams.release();
        }
    }

    /** Flushes at the end of this iteration of the loop, once for all data that it brings. */
    void flushSoon() {
        if (!iterationEnds) {
            iterationEnds = true;
            channel.eventLoop().execute(endOfIteration);
        }
    }

    private void endIteration() {
        flush();
        if (cost < PieceJoiner.MAX) {
            iterationEnds = false;
            cost = 0;
        } else {
            // A task that a task adds would run in this iteration, before others have their turn; a scheduled one does
            // not.
            channel.eventLoop().schedule(nextIteration, 0, TimeUnit.NANOSECONDS);
        }
    }

    private void beginIteration() {
        iterationEnds = false;
        cost = 0;
        if (channel.isWritable()) {
            drained.run();
        }
    }

    private void writeSingle(ByteBuf datagram) {
        unflushed = true;
        channel.write(datagram, channel.voidPromise());
    }

    private void writeSegments() {
        int count = segments.count();
        int length = segments.length();
        ByteBuf datagrams = segments.take();
        if (datagrams == null) {
            return;
        }
        if (count == 1) {
            writeSingle(datagrams);
            return;
        }
        unflushed = true;
        InetSocketAddress destination = (InetSocketAddress) channel.remoteAddress();
        ByteBuf again = datagrams.retainedDuplicate();
        channel.write(new SegmentedDatagramPacket(datagrams, length, destination))
                .addListener((ChannelFuture written) -> {
                    if (written.isSuccess()) {
                        again.release();
                    } else if (channel.isActive() && !(written.cause() instanceof PortUnreachableException)) {
                        writeSingles(again, length);
                    } else {
                        again.release();
                        meters.countFailed(count - 1); // the channel's handler counts one
                        channel.pipeline().fireExceptionCaught(written.cause());
                    }
                });
    }

    /**
     * Writes datagrams one by one that were refused as segments: the kernel refuses them when they are longer than the link takes, older
     * kernels also when the link does not compute checksums; single ones it takes then.
     */
    private void writeSingles(ByteBuf datagrams, int length) {
        segmented = false;
        while (datagrams.isReadable()) {
            writeSingle(datagrams.readRetainedSlice(Math.min(length, datagrams.readableBytes())));
        }
        datagrams.release();
        flush();
    }

    /** Flushes now. */
    void flush() {
        writeSegments();
        if (unflushed) {
            unflushed = false;
            channel.flush();
        }
    }

    /** Sends an empty datagram, which is legal (RFC 768) and which Netty's channels drop without an error. */
    private void sendEmpty() {
        if (channel instanceof UnixChannel unix) {
            try {
                new Socket(unix.fd().intValue()).send(EMPTY, 0, 0);
                return;
            } catch (IOException e) {
                channel.pipeline().fireExceptionCaught(e);
                return;
            }
        }
        meters.countFailed(1);
    }
}
