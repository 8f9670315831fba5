package dev.postern.core.tunnel;

import dev.postern.core.capsule.CapsuleDecoder;
import dev.postern.core.exchange.TunnelHandler;
import dev.postern.core.transport.TunnelPeer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * UDP tunnel: relays datagrams between the capsules of a client's stream and a connected UDP socket (RFC 9298 section 5). Datagrams of
 * one direction leave in the order in which they came; each direction drops the oldest ones when its receiver does not keep up. Owns the
 * socket. Event loop only.
 */
public final class UdpTunnel implements TunnelHandler {

    private final Channel socket;
    private final Limits limits;
    private final DatagramMeters meters;
    private boolean opened;

    /**
     * Limits of a UDP tunnel.
     *
     * @param idle time without a datagram after which the tunnel ends
     * @param lifetime age at which the tunnel ends; zero for no limit
     * @param queue bytes that may wait in each direction
     */
    public record Limits(Duration idle, Duration lifetime, int queue) {}

    /** @param socket connected, with autoRead off */
    public UdpTunnel(Channel socket, Limits limits, DatagramMeters meters) {
        this.socket = socket;
        this.limits = limits;
        this.meters = meters;
    }

    /** Returns whether the tunnel was opened; otherwise the caller closes the socket. */
    public boolean opened() {
        return opened;
    }

    @Override
    public void open(TunnelPeer client) {
        opened = true;
        // The stream ends before the socket, so that the client never sends into a closed one (RFC 9298 section 3.1).
        Runnable end = () -> {
            client.complete();
            socket.close();
        };
        TunnelTimers timers = new TunnelTimers(client.loop(), limits.idle(), limits.lifetime(), end);
        socket.closeFuture().addListener(closed -> timers.stop());
        InboundDatagrams inbound = new InboundDatagrams(client, end, timers, limits.queue(), meters);
        socket.pipeline().addLast(inbound);
        client.begin(new OutboundDatagrams(client, inbound, timers));
        socket.config().setAutoRead(true);
    }

    /** Direction from the client to the destination: takes the bytes of the client's stream. */
    private final class OutboundDatagrams implements TunnelPeer.Taker, CapsuleDecoder.Listener {

        private final TunnelPeer client;
        private final InboundDatagrams inbound;
        private final TunnelTimers timers;
        private final UdpSocket out = new UdpSocket(socket, meters.toDestination(), this::drain);
        private final DatagramQueue queue = new DatagramQueue(limits.queue(), meters.toDestination()::countDropped);
        private final WaitingDatagrams waiting = new WaitingDatagrams(limits.queue());
        private final CapsuleDecoder decoder = new CapsuleDecoder(socket.alloc(), this);
        private @Nullable ByteBuf read;
        private long readAt;
        private boolean moved;
        private int unknown;
        private boolean closed;

        OutboundDatagrams(TunnelPeer client, InboundDatagrams inbound, TunnelTimers timers) {
            this.client = client;
            this.inbound = inbound;
            this.timers = timers;
            inbound.whenSocketWritable(this::drain);
            socket.closeFuture().addListener(closed -> close());
        }

        @Override
        public void data(ByteBuf data) {
            read = data;
            moved = false;
            boolean well = decoder.decode(data);
            queueWaiting(data);
            countUnknown();
            read = null;
            data.release();
            if (!well) {
                reject();
            }
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // equal bytes of another buffer have other places
        public void payload(ByteBuf in, int index, int length) {
            if (!moved) {
                moved = true;
                readAt = timers.moved();
            }
            if (waiting.isEmpty() && queue.isEmpty() && out.writable()) {
                out.write(in.retainedSlice(index, length));
            } else if (in == read) {
                waiting.add(index, length);
            } else {
                queue.add(in.retainedSlice(index, length), readAt); // the first one, which began in an earlier read
            }
        }

        /** Counts once for a read: a flood costs less than an atomic operation for each datagram. */
        private void countUnknown() {
            if (unknown > 0) {
                meters.unknownContext(unknown);
                unknown = 0;
            }
        }

        private void queueWaiting(ByteBuf data) {
            if (closed) {
                return;
            }
            meters.toDestination().countDropped(waiting.dropped());
            waiting.take((index, length) -> queue.add(data.retainedSlice(index, length), readAt));
        }

        @Override
        public void unknownContext() {
            unknown++;
        }

        private void drain() {
            long now = timers.now();
            while (out.writable()) {
                ByteBuf next = queue.poll(now);
                if (next == null) {
                    break;
                }
                out.write(next);
            }
            out.flushSoon();
        }

        @Override
        public void readComplete() {
            out.flushSoon();
        }

        @Override
        public void writable() {
            inbound.drain();
        }

        @Override
        public void finished() {
            if (decoder.complete()) {
                out.flush();
                client.complete();
                socket.close();
            } else {
                reject(); // RFC 9297 section 3.3: a stream that ends inside a capsule is malformed
            }
        }

        private void reject() {
            client.reject();
            socket.close();
        }

        @Override
        public void draining() {
            timers.drain();
        }

        @Override
        public void gone() {
            socket.close();
        }

        private void close() {
            closed = true;
            queue.clear();
            out.close();
            decoder.close();
        }
    }
}
