package dev.postern.core.tunnel;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Outbound side of a connected UDP socket: writes datagrams, several with one system call. Event loop only. */
final class UdpSocket {

    private static final ByteBuffer EMPTY = ByteBuffer.allocateDirect(0);

    private final Channel channel;
    private final DatagramMeters.Direction meters;
    private final Runnable flush = this::flush;
    private boolean flushPending;

    UdpSocket(Channel channel, DatagramMeters.Direction meters) {
        this.channel = channel;
        this.meters = meters;
    }

    boolean writable() {
        return channel.isWritable();
    }

    /** Writes a datagram and takes ownership; sends nothing before {@link #flush}, except an empty datagram. */
    void write(ByteBuf datagram) {
        meters.countWritten();
        if (datagram.isReadable()) {
            channel.write(datagram, channel.voidPromise());
        } else {
            datagram.release();
            flush();
            sendEmpty();
        }
    }

    /** Flushes at the end of this pass of the loop, once for all data that the pass brings. */
    void flushSoon() {
        if (!flushPending) {
            flushPending = true;
            channel.eventLoop().execute(flush);
        }
    }

    private void flush() {
        flushPending = false;
        channel.flush();
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
