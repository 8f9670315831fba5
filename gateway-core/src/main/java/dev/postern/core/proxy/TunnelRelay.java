package dev.postern.core.proxy;

import dev.postern.core.transport.TunnelPeer;
import dev.postern.core.transport.loop.Deadline;
import io.netty.buffer.ByteBuf;
import java.time.Duration;

/**
 * One direction of a tunnel: bytes as they come, no faster than the other side takes them, each half closed on its own. Two of them, on
 * one event loop, make a tunnel.
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

    /** When the tunnel ends by itself. */
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
     * @param idle without a byte for so long, the tunnel is closed
     * @param life so old, it is closed anyway; zero for never
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
            from.pause(); // in the middle of a turn, in which a mebibyte may come
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
        // Our own end takes more again: the other one may be read again.
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
