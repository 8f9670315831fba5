package dev.postern.app.mapping;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.postern.app.config.GatewayConfig;
import dev.postern.core.connection.ConnectionSettings;
import dev.postern.core.exchange.ListenerInfo;
import java.lang.management.ManagementFactory;

/**
 * Shares of the process's file descriptors, of which each connection takes one. A reserve for other purposes lets the gateway respond to
 * probes, reach stores and read files when no further client can connect. If upstreams may use more than half of the rest, both upstreams
 * and clients get at most that half.
 *
 * @param descriptors maximum of open descriptors of the process
 * @param open descriptors open before the process listens
 */
public record DescriptorShares(long descriptors, long open) {

    /**
     * Reserve for the admin address, which takes half of it at most, stores, name servers, health checks, and files that are read again.
     */
    static final int RESERVE = 64;

    /** Returns the shares of this process; practically unlimited if the system reports no limit. */
    public static DescriptorShares ofThis() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                        && system.getMaxFileDescriptorCount() > 0
                ? new DescriptorShares(system.getMaxFileDescriptorCount(), system.getOpenFileDescriptorCount())
                : new DescriptorShares(Long.MAX_VALUE, 0);
    }

    /** Returns the maximum of open client connections. */
    public int connections(GatewayConfig config) {
        long available = Math.max(free() - outward(config), free() / 2);
        return (int) Math.max(1, Math.min(config.limits().connections(), available));
    }

    /** Returns the limits of clients, with the maximum of open connections. */
    public ConnectionSettings limits(GatewayConfig config) {
        return config.limits().with(connections(config));
    }

    /** Returns the maximum of connections of a pool that is configured for the wished number. */
    public int pool(GatewayConfig config, int configured) {
        long half = free() / 2;
        long wanted = outward(config);
        return wanted <= half || free() - wanted >= config.limits().connections()
                ? configured
                : (int) Math.max(1, Math.min(configured, (double) configured * half / wanted));
    }

    /**
     * Returns the maximum of sockets that exchanges of forward listeners may have: what client connections and pools leave. A connection of a
     * client carries many such exchanges, so their number needs a limit of its own.
     */
    public int forward(GatewayConfig config) {
        long pools = config.upstreams().stream()
                .mapToLong(upstream -> pool(config, upstream.pool().maxConnections()))
                .sum();
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, free() - connections(config) - pools));
    }

    private long free() {
        return Math.max(0, descriptors - open - RESERVE);
    }

    /** Counts the connections that the gateway may open: those of pools, and on forward listeners one per client. */
    private static long outward(GatewayConfig config) {
        long pools = config.upstreams().stream()
                .mapToLong(upstream -> upstream.pool().maxConnections())
                .sum();
        boolean forward = config.listeners().stream().anyMatch(one -> one.mode() == ListenerInfo.Mode.FORWARD);
        return forward ? pools + config.limits().connections() : pools;
    }

    @Override
    public String toString() {
        return descriptors + " file descriptors, " + open + " of them open at the start and " + RESERVE + " reserved";
    }
}
