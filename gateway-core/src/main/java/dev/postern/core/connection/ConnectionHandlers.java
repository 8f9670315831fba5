package dev.postern.core.connection;

import dev.postern.core.connection.CloseReasonMetrics.Why;
import dev.postern.core.exchange.ListenerInfo;
import dev.postern.core.metrics.Meters;
import dev.postern.core.overload.LoadShedState;
import dev.postern.core.rate.LogRateLimiter;
import dev.postern.core.transport.OutboundBytesLimiter;
import dev.postern.core.transport.WriteTimeoutHandler;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the handlers that stand before everything else, which share the counts of the whole process. Thread-safe. */
public final class ConnectionHandlers {

    private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandlers.class);

    private final ConnectionLimiter open;
    private final CloseReasonMetrics metrics;
    private final LoadShedState state;
    private final OutboundBytesLimiter unsent;
    private final LogRateLimiter fullLine = new LogRateLimiter();
    private volatile AcceptLimits limits;

    /** @param state while it is on, nobody is let in whose handshake would cost */
    public ConnectionHandlers(AcceptLimits limits, LoadShedState state, MeterRegistry registry) {
        this.limits = limits;
        this.state = state;
        this.open = new ConnectionLimiter(limits, this::full);
        this.unsent = new OutboundBytesLimiter(limits.unsent());
        this.metrics = new CloseReasonMetrics(registry);
        Meters.CONNECTIONS.gauge(registry, open::open);
        Meters.CONNECTIONS_LIMIT.gauge(registry, open::most);
        Meters.CONNECTIONS_UNSENT.gauge(registry, unsent::waiting);
        Meters.CONNECTIONS_PAUSED.count(registry, open::pauses);
    }

    private void full() {
        if (fullLine.tryAcquire()) {
            LOG.warn(
                    "limits.connections: {} are open; more are accepted when somebody leaves ({} times so far)",
                    limits.connections(),
                    open.pauses());
        }
    }

    /** Other limits for those who connect from now on. */
    public void limits(AcceptLimits others) {
        limits = others;
        open.limits(others);
    }

    public CloseReasonMetrics metrics() {
        return metrics;
    }

    /** For a listening channel: lets connections in, or not, by what holds there when they come. */
    public ChannelHandler gate(Supplier<ListenerAdmission> entrance) {
        return new AcceptLimitHandler(open, metrics, entrance, state::on);
    }

    /** Lets a channel accept that only listened so far. From now on its autoRead is in these hands. */
    public void accept(Channel listening) {
        ConnectionLimiter.Listening told = enabled -> {
            if (listening.isOpen()) { // not after drain
                listening.config().setAutoRead(enabled);
            }
        };
        open.add(told);
        listening.closeFuture().addListener(closed -> open.remove(told));
    }

    /**
     * For a client's channel of a listener behind load balancers: reads who the client is.
     *
     * @param next told the client, or null when the load balancer speaks for itself; fills the rest of the pipeline
     */
    public ChannelHandler proxyHeader(
            Channel channel, ListenerInfo listener, Consumer<@Nullable InetSocketAddress> next) {
        return new ProxyProtocolHandler(
                limits.head(),
                header -> {
                    InetSocketAddress source = header.source();
                    if (source != null && !enter(channel, listener, source.getAddress())) {
                        return false;
                    }
                    next.accept(source);
                    return true;
                },
                () -> metrics.count(Why.PROXY_PROTOCOL, listener.name()));
    }

    private boolean enter(Channel channel, ListenerInfo listener, InetAddress client) {
        if (listener.trustedProxies().contains(client) || !open.countsAddresses()) {
            return true;
        }
        AddressPrefix address = AddressPrefix.of(client);
        if (!open.enter(address)) {
            metrics.count(Why.ADDRESS, listener.name());
            return false;
        }
        channel.closeFuture().addListener(closed -> open.leave(address));
        return true;
    }

    /** For a client's channel: ends it when its client takes nothing. */
    public ChannelHandler stall(Channel channel, ListenerInfo listener) {
        return new WriteTimeoutHandler(
                channel, limits.writeIdle(), unsent, () -> metrics.count(Why.STALLED, listener.name()));
    }
}
