package dev.postern.core.proxy;

import dev.postern.core.transport.TunnelPeer;
import dev.postern.core.transport.loop.Deadline;
import io.netty.buffer.ByteBuf;
import java.time.Duration;

/**
 * Relay of one direction of a tunnel: forwards bytes with backpressure, and half-closes each direction independently. Two relays, on one
 * event loop, make a tunnel.
 */
final class TunnelRelay implements TunnelPeer.Taker {

    private final TunnelPeer from;
    private final TunnelPeer to;
    private final Times times;

    private TunnelRelay(TunnelPeer from, TunnelPeer to, Times times) {
        this.from = from;
        this.to = to;
        this.times = times;
    }

    /** Timeouts of the tunnel. */
    private record Times(Deadline silence, long idleNanos, Deadline age) {

        void moved() {
            silence.set(System.nanoTime(), idleNanos);
        }

        void stop() {
            silence.stop();
            age.stop();
        }
    }

    /**
     * @param idle time without bytes after which the tunnel is closed
     * @param life age at which the tunnel is closed; zero for no limit
     */
    static void join(TunnelPeer client, TunnelPeer destination, Duration idle, Duration life) {
        Runnable end = () -> {
            client.close();
            destination.close();
        };
        Times times = new Times(new Deadline(client.loop(), end), idle.toNanos(), new Deadline(client.loop(), end));
        times.moved();
        if (!life.isZero()) {
            times.age().set(System.nanoTime(), life.toNanos());
        }
        client.begin(new TunnelRelay(client, destination, times));
        destination.begin(new TunnelRelay(destination, client, times));
    }

    @Override
    public void data(ByteBuf data) {
        times.moved();
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
    public void gone() {
        times.stop();
        to.close();
    }
}
