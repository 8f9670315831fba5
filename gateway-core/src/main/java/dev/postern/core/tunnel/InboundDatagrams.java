package dev.postern.core.tunnel;

import dev.postern.core.capsule.DatagramCapsule;
import dev.postern.core.transport.TunnelPeer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import java.net.PortUnreachableException;
import org.jspecify.annotations.Nullable;

/**
 * Direction of a UDP tunnel from the destination to the client: writes the datagrams of the socket as capsules, all of one read at once.
 * Event loop only.
 */
final class InboundDatagrams extends ChannelInboundHandlerAdapter {

    /** Bytes of capsules that are collected before they are written. */
    private static final int MAX_COLLECTED = 64 * 1024;

    private final TunnelPeer client;
    private final Runnable end;
    private final TunnelTimers timers;
    private final DatagramQueue queue;
    private final DatagramMeters meters;
    private @Nullable Runnable writable;
    private @Nullable ByteBuf collected;
    private boolean reading;
    private long readAt;

    /** @param end ends the tunnel, and closes the socket */
    InboundDatagrams(TunnelPeer client, Runnable end, TunnelTimers timers, int maxQueue, DatagramMeters meters) {
        this.client = client;
        this.end = end;
        this.timers = timers;
        this.meters = meters;
        this.queue = new DatagramQueue(maxQueue, meters.toClient()::countDropped);
    }

    /** Sets the listener that runs when the socket takes datagrams again. */
    void whenSocketWritable(Runnable listener) {
        writable = listener;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        DatagramPacket packet = (DatagramPacket) message;
        ByteBuf payload = packet.content();
        if (!reading) {
            reading = true;
            readAt = timers.moved();
        }
        if (queue.isEmpty() && client.writable()) {
            meters.toClient().countWritten();
            collect(ctx, payload);
        } else {
            ByteBuf capsule = ctx.alloc().buffer(payload.readableBytes() + DatagramCapsule.MAX_OVERHEAD);
            DatagramCapsule.write(payload, capsule);
            queue.add(capsule, readAt);
        }
        packet.release();
    }

    /** Copies the payload, because its buffer has room for the largest datagrams. */
    private void collect(ChannelHandlerContext ctx, ByteBuf payload) {
        int size = payload.readableBytes() + DatagramCapsule.MAX_OVERHEAD;
        ByteBuf out = collected;
        if (out != null && out.readableBytes() + size > MAX_COLLECTED) {
            writeCollected();
            out = null;
        }
        if (out == null) {
            out = ctx.alloc().directBuffer(size);
            collected = out;
        }
        DatagramCapsule.write(payload, out);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reading = false;
        writeCollected();
        client.flush();
    }

    private void writeCollected() {
        ByteBuf out = collected;
        if (out != null) {
            collected = null;
            client.write(out);
        }
    }

    /** Writes waiting datagrams as far as the client's stream takes them. */
    void drain() {
        long now = timers.now();
        while (client.writable()) {
            ByteBuf next = queue.poll(now);
            if (next == null) {
                break;
            }
            meters.toClient().countWritten();
            client.write(next);
        }
        client.flush();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        Runnable listener = writable;
        if (listener != null && ctx.channel().isWritable()) {
            listener.run();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (collected != null) {
            collected.release();
            collected = null;
        }
        queue.clear();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof PortUnreachableException) {
            end.run(); // nothing listens there (RFC 9298 section 3.1)
        } else {
            meters.toDestination().countFailed(1); // for example longer than the path takes
        }
    }
}
