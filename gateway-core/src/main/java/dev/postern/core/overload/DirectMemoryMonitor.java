package dev.postern.core.overload;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Direct memory monitor: measures the share of direct memory that is taken from the system, as counted by Netty or by the JVM. Both keep
 * separate counts with the same limit, so the larger count is the relevant one. Free parts of an allocator's chunks count as taken: the
 * next large buffer may not fit into them.
 */
final class DirectMemoryMonitor {

    private final ByteBufAllocator allocator;
    private final List<BufferPoolMXBean> pools = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .toList();

    /** @param allocator read where Netty does not count its total */
    DirectMemoryMonitor(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /** Returns the share, 0..1. */
    double share() {
        long max = PlatformDependent.maxDirectMemory();
        return max <= 0 ? 0 : (double) Math.max(netty(), jvm()) / max;
    }

    private long netty() {
        long counted = PlatformDependent.usedDirectMemory();
        if (counted >= 0 || !(allocator instanceof ByteBufAllocatorMetricProvider provider)) {
            return counted;
        }
        ByteBufAllocatorMetric metric = provider.metric();
        return metric.usedDirectMemory();
    }

    private long jvm() {
        long used = 0;
        for (BufferPoolMXBean pool : pools) {
            used += pool.getMemoryUsed();
        }
        return used;
    }
}
