package dev.postern.core.accept;

import dev.postern.core.accept.Closures.Why;
import dev.postern.core.route.Listener;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands in the pipeline of a listening channel and lets new connections through, or closes them before they cost anything. Owns the
 * listening channel's autoRead.
 */
final class Gate extends ChannelInboundHandlerAdapter {

    private final OpenConnections open;
    private final Closures closures;
    private final Listener listener;
    private final boolean proxyProtocol;
    private final BooleanSupplier closed;

    /** @param closed whether nobody is let in now */
    Gate(OpenConnections open, Closures closures, Listener listener, boolean proxyProtocol, BooleanSupplier closed) {
        this.open = open;
        this.closures = closures;
        this.listener = listener;
        this.proxyProtocol = proxyProtocol;
        this.closed = closed;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        open.add(on -> {
            if (ctx.channel().isOpen()) { // not after drain
                ctx.channel().config().setAutoRead(on);
            }
        });
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Channel child = (Channel) message;
        Why why = refuses(child);
        if (why == null) {
            ctx.fireChannelRead(message);
        } else {
            closures.count(why, listener.name());
            child.unsafe().closeForcibly(); // it has no event loop yet, so this is all that can be done
        }
    }

    private @Nullable Why refuses(Channel child) {
        if (closed.getAsBoolean()) {
            return Why.OVERLOADED;
        }
        InetSocketAddress peer = (InetSocketAddress) child.remoteAddress();
        if (peer == null) {
            return enter(child, null); // gone already; whoever reads it first notices
        }
        boolean trusted = listener.trustedProxies().contains(peer.getAddress());
        if (proxyProtocol && !trusted) {
            return Why.PROXY_PROTOCOL;
        }
        return enter(child, trusted ? null : peer.getAddress());
    }

    private @Nullable Why enter(Channel child, @Nullable InetAddress counted) {
        AddressPrefix address = counted == null ? null : AddressPrefix.of(counted);
        if (address != null && !open.enter(address)) {
            return Why.ADDRESS;
        }
        if (!open.enter()) {
            if (address != null) {
                open.leave(address);
            }
            return Why.FULL;
        }
        child.closeFuture().addListener(closed -> {
            open.leave();
            if (address != null) {
                open.leave(address);
            }
        });
        return null;
    }
}
