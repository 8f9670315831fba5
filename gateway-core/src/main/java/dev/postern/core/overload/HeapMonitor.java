package dev.postern.core.overload;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The share of the heap that a collection does not get back. What is used now is of no use: it rises to the brim and falls, many times a
 * minute, in the healthiest process.
 *
 * <p>Each pool counts with what its last collection left. The old pool of Serial and of Parallel may fill up with garbage before anybody
 * looks, so nothing else can be told of it; its last collection is never long ago when memory is short. The old pool of G1 counts as it is
 * now: only what outlived a collection is in it, G1 begins to clean it at half the heap and aims at keeping it below 85 %, while its own
 * last cleaning may be hours ago, and nothing of it is told when all was found alive.
 */
final class HeapMonitor {

    private static final String G1_OLD = "G1 Old Gen";

    private final List<MemoryPoolMXBean> pools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();

    /** 0..1, of the largest heap that this JVM may have. */
    double share() {
        long left = 0;
        for (MemoryPoolMXBean pool : pools) {
            @Nullable MemoryUsage usage = pool.getName().equals(G1_OLD) ? pool.getUsage() : pool.getCollectionUsage();
            left += usage == null ? 0 : usage.getUsed();
        }
        return (double) left / Runtime.getRuntime().maxMemory();
    }
}
