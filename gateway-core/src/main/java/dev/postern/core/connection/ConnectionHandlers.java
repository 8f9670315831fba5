package dev.postern.core.connection;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.metrics.Meters;
import dev.postern.core.net.AddressPrefix;
import dev.postern.core.overload.LoadShedState;
import dev.postern.core.rate.LogRateLimiter;
import dev.postern.core.transport.OutboundBytesLimiter;
import dev.postern.core.transport.ReceiveWindows;
import dev.postern.core.transport.WriteTimeoutHandler;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.util.concurrent.Ticker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the first handlers of the pipelines, which share process-wide counts. Thread-safe. */
public final class ConnectionHandlers {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandlers.class);

    private final ConnectionLimiter limiter;
    private final HandshakeLimiter handshakes;
    private final CloseReasonMetrics metrics;
    private final LoadShedState state;
    private final OutboundBytesLimiter outboundLimiter;
    private final ReceiveWindows windows;
    private final LogRateLimiter fullLogLimiter;
    private volatile ConnectionSettings limits;

    /**
     * @param outboundBytes bytes that may wait to be written to clients, in the whole process; 0 for no limit
     * @param state load shedding: while active, connections that need a TLS handshake are rejected
     * @param windows receive windows of HTTP/2 connections, to upstreams as well
     * @param ticker limits the log lines
     */
    public ConnectionHandlers(
            ConnectionSettings limits,
            long outboundBytes,
            LoadShedState state,
            ReceiveWindows windows,
            MeterRegistry registry,
            Ticker ticker) {
        this.limits = limits;
        this.state = state;
        this.limiter = new ConnectionLimiter(limits, this::full);
        this.handshakes = new HandshakeLimiter(limits.handshakesPerAddress(), ticker);
        this.windows = windows;
        this.outboundLimiter = new OutboundBytesLimiter(outboundBytes);
        this.metrics = new CloseReasonMetrics(registry, ticker);
        this.fullLogLimiter = new LogRateLimiter(ticker);
        Meters.CONNECTIONS.gauge(registry, limiter::open);
        Meters.CONNECTIONS_LIMIT.gauge(registry, limiter::max);
        Meters.CONNECTIONS_UNSENT.gauge(registry, outboundLimiter::waiting);
        Meters.CONNECTIONS_WINDOWS.gauge(registry, windows::granted);
        Meters.CONNECTIONS_PAUSED.count(registry, limiter::pauses);
    }

    private void full() {
        if (fullLogLimiter.tryAcquire()) {
            LOG.warn(
                    "limits.connections: {} are open; more are accepted when one closes ({} times so far)",
                    limits.connections(),
                    limiter.pauses());
        }
    }

    /** Replaces the limits, for connections accepted from now on. */
    public void limits(ConnectionSettings others) {
        limits = others;
        limiter.limits(others);
        handshakes.rate(others.handshakesPerAddress());
    }

    /** Replaces the limit of bytes that may wait to be written to clients; 0 for none. */
    public void outboundBytes(long other) {
        outboundLimiter.max(other);
    }

    public ReceiveWindows windows() {
        return windows;
    }

    public CloseReasonMetrics metrics() {
        return metrics;
    }

    /** Creates the handler of a listening channel that admits or rejects connections by the admission rules in force when they arrive. */
    public ChannelHandler acceptLimit(Supplier<ListenerAdmission> admission) {
        return new AcceptLimitHandler(limiter, handshakes, metrics, admission, state::on);
    }

    /** Starts accepting on a listening channel. From now on the connection limiter controls the channel's autoRead. */
    public void accept(Channel listening) {
        ConnectionLimiter.Listening listener = enabled -> {
            if (listening.isOpen()) { // closed when drained
                listening.config().setAutoRead(enabled);
            }
        };
        limiter.lingering().follow(listening);
        limiter.add(listener);
        listening.closeFuture().addListener(closed -> limiter.remove(listener));
    }

    /**
     * Creates the handler of a client's channel, behind a load balancer, that reads the client's address from the PROXY protocol header.
     *
     * @param next adds the rest of the pipeline
     */
    public ChannelHandler proxyHeader(Channel channel, ListenerAdmission admission, Announced next) {
        return new ProxyProtocolHandler(
                limits.headTimeout(),
                header -> {
                    InetSocketAddress source = header.source();
                    if (source != null && !enter(channel, admission, source.getAddress())) {
                        return false;
                    }
                    next.client(source, header.tls());
                    return true;
                },
                () -> metrics.count(Why.PROXY_PROTOCOL, admission.listener().name()));
    }

    /** Continuation with the client that a load balancer announces. */
    @FunctionalInterface
    public interface Announced {

        /**
         * @param address null when the load balancer speaks for itself
         * @param tls whether the client uses TLS, which the load balancer ends
         */
        void client(@Nullable InetSocketAddress address, boolean tls);
    }

    private boolean enter(Channel channel, ListenerAdmission admission, InetAddress client) {
        ListenerInfo listener = admission.listener();
        if (listener.trustedProxies().contains(client)) {
            return true;
        }
        if (listener.denies(client)) {
            metrics.count(Why.ADDRESS_DENIED, listener.name());
            return false;
        }
        boolean handshake = admission.tls() && handshakes.limits();
        if (!handshake && !limiter.countsAddresses()) {
            return true;
        }
        AddressPrefix address = listener.networks().client(client);
        if (handshake && !handshakes.tryAcquire(address)) {
            metrics.count(Why.HANDSHAKES, listener.name());
            return false;
        }
        if (!limiter.countsAddresses()) {
            return true;
        }
        if (!limiter.enter(address)) {
            metrics.count(Why.ADDRESS, listener.name());
            return false;
        }
        channel.closeFuture().addListener(closed -> limiter.leave(address));
        return true;
    }

    /** Creates the handler of a client's channel that closes the channel when the client does not read. */
    public ChannelHandler writeTimeout(Channel channel, ListenerInfo listener) {
        return new WriteTimeoutHandler(
                channel, limits.writeIdleTimeout(), outboundLimiter, () -> metrics.count(Why.STALLED, listener.name()));
    }
}
