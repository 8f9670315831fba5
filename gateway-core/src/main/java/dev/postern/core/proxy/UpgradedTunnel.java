package dev.postern.core.proxy;

import dev.postern.core.exchange.TunnelHandler;
import dev.postern.core.transport.TunnelPeer;
import io.netty.buffer.ByteBuf;
import java.time.Duration;

/**
 * The tunnel to a destination, or to an upstream that agreed to an upgrade. The turn of either comes when all before it are answered, so that it
 * opens at once or never. Owns what came early until it opens. On the loop of its exchange.
 */
final class UpgradedTunnel implements TunnelHandler {

    private final TunnelPeer upstream;
    private final ByteBuf early;
    private final Duration idle;
    private final Duration life;
    private boolean opened;

    /**
     * @param early what the other end sent already
     * @param idle without a byte for so long, it is closed
     * @param life so old, it is closed anyway; zero for never
     */
    UpgradedTunnel(TunnelPeer upstream, ByteBuf early, Duration idle, Duration life) {
        this.upstream = upstream;
        this.early = early;
        this.idle = idle;
        this.life = life;
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
        TunnelRelay.join(client, upstream, idle, life);
        upstream.resume();
    }

    boolean opened() {
        return opened;
    }

    /** There will be no tunnel. */
    void drop() {
        early.release();
        upstream.close();
    }
}
