package dev.postern.core.tunnel;

import dev.postern.core.exchange.TunnelHandler;
import dev.postern.core.transport.TunnelPeer;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Tunnel to a destination, or to an upstream that accepted an upgrade. Its response is sent after all earlier ones, so the tunnel opens at
 * once or never. Owns the early bytes until it opens. On the loop of its exchange.
 */
public final class UpgradedTunnel implements TunnelHandler {

    private final TunnelPeer upstream;
    private final ByteBuf early;
    private final Duration idle;
    private final Duration maxLifetime;
    private boolean opened;
    private @Nullable TunnelTimers timers;

    /**
     * @param early bytes that the other end sent already
     * @param idle time without bytes after which the tunnel is closed
     * @param maxLifetime age at which the tunnel is closed; zero for no limit
     */
    public UpgradedTunnel(TunnelPeer upstream, ByteBuf early, Duration idle, Duration maxLifetime) {
        this.upstream = upstream;
        this.early = early;
        this.idle = idle;
        this.maxLifetime = maxLifetime;
    }

    @Override
    public void open(TunnelPeer client) {
        opened = true;
        if (early.isReadable()) {
            client.write(early);
            client.flush();
        } else {
            early.release();
        }
        timers = TunnelRelay.join(client, upstream, idle, maxLifetime);
        upstream.resume();
    }

    /** Returns whether the tunnel was opened. */
    public boolean opened() {
        return opened;
    }

    /** Returns the time without a byte; 0 before the tunnel opens. */
    public long idleNanos(long now) {
        TunnelTimers its = timers;
        return its == null ? 0 : its.idleNanos(now);
    }

    /** Closes both ends of the open tunnel. */
    public void close() {
        TunnelTimers its = timers;
        if (its != null) {
            its.end();
        }
    }

    /** Closes a tunnel that will not open. */
    public void drop() {
        early.release();
        upstream.close();
    }
}
