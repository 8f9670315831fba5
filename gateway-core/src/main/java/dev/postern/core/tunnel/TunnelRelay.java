package dev.postern.core.tunnel;

import dev.postern.core.transport.TunnelPeer;
import io.netty.buffer.ByteBuf;
import java.time.Duration;

/**
 * Relay of one direction of a tunnel: forwards bytes with backpressure, and half-closes each direction independently. Two relays, on one
 * event loop, make a tunnel.
 */
final class TunnelRelay implements TunnelPeer.Taker {

    private final TunnelPeer from;
    private final TunnelPeer to;
    private final TunnelTimers timers;

    private TunnelRelay(TunnelPeer from, TunnelPeer to, TunnelTimers timers) {
        this.from = from;
        this.to = to;
        this.timers = timers;
    }

    /**
     * @param idle time without bytes after which the tunnel is closed
     * @param maxLifetime age at which the tunnel is closed; zero for no limit
     */
    static void join(TunnelPeer client, TunnelPeer destination, Duration idle, Duration maxLifetime) {
        Runnable end = () -> {
            client.close();
            destination.close();
        };
        TunnelTimers timers = new TunnelTimers(client.loop(), idle, maxLifetime, end);
        client.begin(new TunnelRelay(client, destination, timers));
        destination.begin(new TunnelRelay(destination, client, timers));
    }

    @Override
    public void data(ByteBuf data) {
        timers.moved();
        to.write(data);
        if (!to.writable()) {
            from.pause(); // within one read loop, which may bring a mebibyte
        }
    }

    @Override
    public void readComplete() {
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
        to.finish();
    }

    @Override
    public void completed() {
        timers.stop();
        to.complete();
    }

    @Override
    public void draining() {
        timers.drain();
    }

    @Override
    public void gone() {
        timers.stop();
        to.close();
    }
}
