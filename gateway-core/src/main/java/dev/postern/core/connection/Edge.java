package dev.postern.core.connection;

import dev.postern.core.connection.Closures.Why;
import dev.postern.core.exchange.Listener;
import dev.postern.core.metrics.Meters;
import dev.postern.core.overload.Shedding;
import dev.postern.core.rate.LogRateLimiter;
import dev.postern.core.transport.WriteBudget;
import dev.postern.core.transport.WriteStall;
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
public final class Edge {

    private static final Logger LOG = LoggerFactory.getLogger(Edge.class);

    private final OpenConnections open;
    private final Closures closures;
    private final Shedding shedding;
    private final WriteBudget unsent;
    private final LogRateLimiter fullLine = new LogRateLimiter();
    private volatile AcceptLimits limits;

    /** @param shedding while it is on, nobody is let in whose handshake would cost */
    public Edge(AcceptLimits limits, Shedding shedding, MeterRegistry registry) {
        this.limits = limits;
        this.shedding = shedding;
        this.open = new OpenConnections(limits, this::full);
        this.unsent = new WriteBudget(limits.unsent());
        this.closures = new Closures(registry);
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

    public Closures closures() {
        return closures;
    }

    /** For a listening channel: lets connections in, or not, by what holds there when they come. */
    public ChannelHandler gate(Supplier<Entrance> entrance) {
        return new Gate(open, closures, entrance, shedding::on);
    }

    /** Lets a channel accept that only listened so far. From now on its autoRead is in these hands. */
    public void accept(Channel listening) {
        OpenConnections.Listening told = on -> {
            if (listening.isOpen()) { // not after drain
                listening.config().setAutoRead(on);
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
    public ChannelHandler proxyHeader(Channel channel, Listener listener, Consumer<@Nullable InetSocketAddress> next) {
        return new ProxyHeaderHandler(
                limits.head(),
                header -> {
                    InetSocketAddress source = header.source();
                    if (source != null && !enter(channel, listener, source.getAddress())) {
                        return false;
                    }
                    next.accept(source);
                    return true;
                },
                () -> closures.count(Why.PROXY_PROTOCOL, listener.name()));
    }

    private boolean enter(Channel channel, Listener listener, InetAddress client) {
        if (listener.trustedProxies().contains(client) || !open.countsAddresses()) {
            return true;
        }
        AddressPrefix address = AddressPrefix.of(client);
        if (!open.enter(address)) {
            closures.count(Why.ADDRESS, listener.name());
            return false;
        }
        channel.closeFuture().addListener(closed -> open.leave(address));
        return true;
    }

    /** For a client's channel: ends it when its client takes nothing. */
    public ChannelHandler stall(Channel channel, Listener listener) {
        return new WriteStall(channel, limits.writeIdle(), unsent, () -> closures.count(Why.STALLED, listener.name()));
    }
}
