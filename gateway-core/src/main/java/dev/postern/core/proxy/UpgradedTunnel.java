package dev.postern.core.proxy;

import dev.postern.core.edit.Upgrades;
import dev.postern.core.exchange.Tunnel;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/**
 * The tunnel that a connection to an upstream becomes after 101. The turn of an upgrade comes when all before it are answered, so that it
 * opens at once or never. Owns what the upstream sent early until it opens. On the loop of its exchange.
 */
final class UpgradedTunnel implements Tunnel {

    private final Channel upstream;
    private final ByteBuf early;
    private final Upgrades limits;
    private boolean opened;

    UpgradedTunnel(Channel upstream, ByteBuf early, Upgrades limits) {
        this.upstream = upstream;
        this.early = early;
        this.limits = limits;
    }

    @Override
    public void open(Channel client) {
        opened = true;
        Relay.join(client, upstream, limits.idle(), limits.life());
        if (early.isReadable()) {
            upstream.pipeline().fireChannelRead(early);
            upstream.pipeline().fireChannelReadComplete();
        } else {
            early.release();
        }
        upstream.config().setAutoRead(true);
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
