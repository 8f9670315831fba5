package dev.postern.core.tunnel;

import dev.postern.core.transport.piece.PieceJoiner;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Outbound side of a connected UDP socket: writes datagrams, several with one system call, and a bounded number in each iteration of the
 * event loop: datagrams can't be joined, so that a tiny one counts as much as a larger one. Event loop only.
 */
final class UdpSocket {

    private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);

    private final Channel channel;
    private final DatagramMeters.Direction meters;
    private final Runnable endOfIteration = this::endIteration;
    private final Runnable nextIteration = this::beginIteration;
    private final Runnable drained;
    private boolean iterationEnds;
    private boolean unflushed;
    private int cost;

    /** @param drained runs in the next iteration of the loop, when datagrams may be written again after {@link #writable} was false */
    UdpSocket(Channel channel, DatagramMeters.Direction meters, Runnable drained) {
        this.channel = channel;
        this.meters = meters;
        this.drained = drained;
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
        if (datagram.isReadable()) {
            unflushed = true;
            channel.write(datagram, channel.voidPromise());
        } else {
            datagram.release();
            flush(); // keeps the order
            sendEmpty();
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

    private void flush() {
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
        meters.countFailed();
    }
}
