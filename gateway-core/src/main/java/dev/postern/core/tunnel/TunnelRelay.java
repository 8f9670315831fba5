package dev.postern.core.tunnel;

import dev.postern.core.transport.TunnelPeer;
import dev.postern.core.transport.piece.PieceJoiner;
import io.netty.buffer.ByteBuf;
import java.time.Duration;

/**
 * Relay of one direction of a tunnel: joins the bytes of one read, forwards them with backpressure, and half-closes each direction
 * independently. Two relays, on one event loop, make a tunnel.
 */
final class TunnelRelay implements TunnelPeer.Taker {

    private final TunnelPeer from;
    private final TunnelPeer to;
    private final TunnelTimers timers;
    private final PieceJoiner pieces = new PieceJoiner(this::forward);

    private TunnelRelay(TunnelPeer from, TunnelPeer to, TunnelTimers timers) {
        this.from = from;
        this.to = to;
        this.timers = timers;
    }

    /**
     * @param idle time without bytes after which the tunnel is closed
     * @param maxLifetime age at which the tunnel is closed; zero for no limit
     */
    static TunnelTimers join(TunnelPeer client, TunnelPeer destination, Duration idle, Duration maxLifetime) {
        Runnable end = () -> {
            client.close();
            destination.close();
        };
        TunnelTimers timers = new TunnelTimers(client.loop(), idle, maxLifetime, end);
        client.begin(new TunnelRelay(client, destination, timers));
        destination.begin(new TunnelRelay(destination, client, timers));
        return timers;
    }

    @Override
    public void data(ByteBuf data) {
        pieces.add(data);
    }

    private void forward(ByteBuf data) {
        timers.moved();
        to.write(data);
        if (!to.writable()) {
            from.pause();
        }
    }

    @Override
    public void readComplete() {
        pieces.pass();
        to.flush();
        if (!to.writable()) {
            from.pause();
        }
    }

    @Override
    public void writable() {
        // This end is writable again: read from the other end again.
        to.resume();
    }

    @Override
    public void finished() {
        pieces.pass();
        to.finish();
    }

    @Override
    public void completed() {
        pieces.pass();
        timers.stop();
        to.complete();
    }

    @Override
    public void draining() {
        timers.drain();
    }

    @Override
    public void gone() {
        pieces.pass();
        timers.stop();
        to.close();
    }
}
