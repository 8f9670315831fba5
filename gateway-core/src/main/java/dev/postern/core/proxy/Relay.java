package dev.postern.core.proxy;

import dev.postern.core.exchange.TunnelEnd;
import dev.postern.core.transport.Deadline;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * One direction of a tunnel: bytes as they come, no faster than the other side takes them, each half closed on its own. Two of them, on
 * one event loop, make a tunnel.
 */
final class Relay implements TunnelEnd.Taker {

    private final TunnelEnd from;
    private final TunnelEnd to;
    private final Deadline idle;
    private final long idleNanos;

    private Relay(TunnelEnd from, TunnelEnd to, Deadline idle, Duration most) {
        this.from = from;
        this.to = to;
        this.idle = idle;
        this.idleNanos = most.toNanos();
    }

    /**
     * @param idle without a byte for so long, the tunnel is closed
     * @param life so old, it is closed anyway; zero for never
     */
    static void join(TunnelEnd client, TunnelEnd destination, Duration idle, Duration life) {
        Deadline silence = new Deadline(client.loop(), () -> {
            client.close();
            destination.close();
        });
        silence.set(System.nanoTime(), idle.toNanos());
        if (!life.isZero()) {
            client.loop().schedule(client::close, life.toNanos(), TimeUnit.NANOSECONDS);
        }
        client.begin(new Relay(client, destination, silence, idle));
        destination.begin(new Relay(destination, client, silence, idle));
    }

    @Override
    public void data(ByteBuf data) {
        idle.set(System.nanoTime(), idleNanos);
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
        idle.stop();
        to.close();
    }
}
