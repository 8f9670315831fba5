package dev.postern.app.mapping;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.postern.app.config.GatewayConfig;
import dev.postern.app.config.ListenerConfig;
import java.lang.management.ManagementFactory;

/**
 * Who may have how many of the process's file descriptors, of which each connection takes one. What the process needs beside its clients and
 * upstreams is kept for it: probes are answered, stores reached and files read when nobody else can connect. Where upstreams may have more
 * than half of the rest, neither they nor clients get more than that half.
 *
 * @param descriptors that the process may have open at once
 * @param open those that it had open before it listened
 */
public record DescriptorShares(long descriptors, long open) {

    /** For the admin address, which takes half of them at most, stores, name servers, health checks, and files that are read again. */
    static final int RESERVE = 64;

    /** Of this process; as good as endless where the system does not say. */
    public static DescriptorShares ofThis() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                        && system.getMaxFileDescriptorCount() > 0
                ? new DescriptorShares(system.getMaxFileDescriptorCount(), system.getOpenFileDescriptorCount())
                : new DescriptorShares(Long.MAX_VALUE, 0);
    }

    /** Client connections that may be open at once. */
    public int connections(GatewayConfig config) {
        long rest = Math.max(free() - outward(config), free() / 2);
        return (int) Math.max(1, Math.min(config.limits().connections(), rest));
    }

    /** Connections that a pool may have which wishes for so many. */
    public int pool(GatewayConfig config, int wished) {
        long half = free() / 2;
        long wanted = outward(config);
        return wanted <= half || free() - wanted >= config.limits().connections()
                ? wished
                : (int) Math.max(1, Math.min(wished, (double) wished * half / wanted));
    }

    private long free() {
        return Math.max(0, descriptors - open - RESERVE);
    }

    /** Connections that the gateway may want to open by itself: those of pools, and on forward listeners one for each client. */
    private static long outward(GatewayConfig config) {
        long pools = config.upstreams().stream()
                .mapToLong(upstream -> upstream.pool().maxConnections())
                .sum();
        boolean forward = config.listeners().stream().anyMatch(one -> one.mode() == ListenerConfig.Mode.FORWARD);
        return forward ? pools + config.limits().connections() : pools;
    }

    @Override
    public String toString() {
        return descriptors + " file descriptors, " + open + " of them open before and " + RESERVE + " kept";
    }
}
