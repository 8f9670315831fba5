package dev.postern.core.overload;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Heap monitor: measures the share of the heap that a collection does not free. The used heap would be useless: in a healthy process it
 * rises to the maximum and falls, many times a minute.
 *
 * <p>Each pool counts with its usage after its last collection. The old pool of Serial and Parallel may fill with garbage between
 * collections, so its current usage says nothing; when memory is short, its last collection is recent. The old pool of G1 counts with its
 * current usage: it contains only objects that survived a collection, and G1 starts to clean the pool at half the heap and aims to keep it
 * below 85 %. The last cleaning may be hours ago, and the JVM reports no usage after a cleaning that found all objects alive.
 */
final class HeapMonitor {

    private static final String G1_OLD = "G1 Old Gen";

    private final List<MemoryPoolMXBean> pools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();

    /** Returns the share of the maximum heap, 0..1. */
    double share() {
        long usedBytes = 0;
        for (MemoryPoolMXBean pool : pools) {
            @Nullable MemoryUsage usage = pool.getName().equals(G1_OLD) ? pool.getUsage() : pool.getCollectionUsage();
            usedBytes += usage == null ? 0 : usage.getUsed();
        }
        return (double) usedBytes / Runtime.getRuntime().maxMemory();
    }
}
