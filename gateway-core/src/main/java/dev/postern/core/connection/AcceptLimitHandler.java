package dev.postern.core.connection;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.net.AddressPrefix;
import dev.postern.core.transport.Descriptors;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Handler of a listening channel that admits new connections, or closes them before they cost anything. */
final class AcceptLimitHandler extends ChannelInboundHandlerAdapter {

    private static final long REST_MILLIS = 100;

    /** Number of lingering connections that are closed when no descriptor is left. */
    private static final int RELIEF = 64;

    private final ConnectionLimiter limiter;
    private final HandshakeLimiter handshakes;
    private final CloseReasonMetrics metrics;
    private final Supplier<ListenerAdmission> admission;
    private final BooleanSupplier shedding;

    /** @param shedding whether to reject connections whose TLS handshake would cost more than the refusal after it */
    AcceptLimitHandler(
            ConnectionLimiter limiter,
            HandshakeLimiter handshakes,
            CloseReasonMetrics metrics,
            Supplier<ListenerAdmission> admission,
            BooleanSupplier shedding) {
        this.limiter = limiter;
        this.handshakes = handshakes;
        this.metrics = metrics;
        this.admission = admission;
        this.shedding = shedding;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        Channel child = (Channel) message;
        ListenerAdmission now = admission.get();
        Why reason = refuses(child, now);
        if (reason == null) {
            ctx.fireChannelRead(message);
        } else {
            metrics.count(reason, now.listener().name());
            child.unsafe().closeForcibly(); // the child has no event loop yet: only a forced close is possible
        }
    }

    /**
     * Pauses accepting for a moment when no file descriptor is left: otherwise the listener would report the same error at once, again and
     * again, while connections wait in its backlog.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!Descriptors.exhausted(cause)) {
            ctx.fireExceptionCaught(cause);
            return;
        }
        metrics.count(Why.DESCRIPTORS, admission.get().listener().name());
        limiter.lingering().closeOldest(RELIEF);
        ctx.channel().config().setAutoRead(false);
        ctx.executor()
                .schedule(
                        () -> limiter.resume(enabled -> ctx.channel()
                                .config()
                                .setAutoRead(enabled && ctx.channel().isOpen())),
                        REST_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    private @Nullable Why refuses(Channel child, ListenerAdmission now) {
        if (now.tls() && shedding.getAsBoolean()) {
            return Why.OVERLOADED;
        }
        InetSocketAddress peer = (InetSocketAddress) child.remoteAddress();
        if (peer == null) {
            return enter(child, now, null); // the client has gone already; the first read reports this
        }
        boolean trusted = now.listener().trustedProxies().contains(peer.getAddress());
        if (now.proxyProtocol() && !trusted) {
            return Why.PROXY_PROTOCOL;
        }
        // Before the limits: a denied client takes no place. Clients of a trusted proxy are judged when they are known.
        if (!trusted && now.listener().denies(peer.getAddress())) {
            return Why.ADDRESS_DENIED;
        }
        if (!trusted && now.tls() && handshakes.limits() && !handshakes.tryAcquire(client(now, peer))) {
            return Why.HANDSHAKES;
        }
        return enter(child, now, trusted ? null : peer.getAddress());
    }

    private static AddressPrefix client(ListenerAdmission now, InetSocketAddress peer) {
        return now.listener().networks().client(peer.getAddress());
    }

    private @Nullable Why enter(Channel child, ListenerAdmission now, @Nullable InetAddress counted) {
        @Nullable
        AddressPrefix address = counted == null || !limiter.countsAddresses()
                ? null
                : now.listener().networks().client(counted);
        if (address != null && !limiter.enter(address)) {
            return Why.ADDRESS;
        }
        if (!limiter.enter()) {
            if (address != null) {
                limiter.leave(address);
            }
            return Why.FULL;
        }
        child.closeFuture().addListener(closed -> {
            limiter.leave();
            if (address != null) {
                limiter.leave(address);
            }
        });
        return null;
    }
}
