package dev.postern.app.context;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.List;

/**
 * What the JVM says of itself.
 *
 * @param mode as {@code java -version} prints it, such as {@code mixed mode, sharing}
 * @param highestTier the compilation tier at which it stops; 4 is C2
 * @param codeCache share of the fullest part of the code cache that is used, 0..1
 * @param flags it was started with
 * @param assertions whether they are checked
 * @param collectors names of the garbage collectors
 * @param processors as it believes
 * @param maxHeap bytes
 * @param maxDirect bytes that buffers outside the heap may take
 */
public record JvmFacts(
        String mode,
        int highestTier,
        double codeCache,
        List<String> flags,
        boolean assertions,
        List<String> collectors,
        int processors,
        long maxHeap,
        long maxDirect) {

    private static final int UNKNOWN_TIER = 4;

    /** Of this process, now. */
    public static JvmFacts read() {
        return new JvmFacts(
                System.getProperty("java.vm.info", ""),
                highestTierOfThis(),
                fullestCodeHeap(),
                ManagementFactory.getRuntimeMXBean().getInputArguments(),
                JvmFacts.class.desiredAssertionStatus(),
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(GarbageCollectorMXBean::getName)
                        .toList(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.getRuntime().maxMemory(),
                PlatformDependent.maxDirectMemory());
    }

    private static int highestTierOfThis() {
        HotSpotDiagnosticMXBean vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        try {
            return Integer.parseInt(vm.getVMOption("TieredStopAtLevel").getValue());
        } catch (IllegalArgumentException e) {
            return UNKNOWN_TIER; // another VM than HotSpot
        }
    }

    /** Where one part is full, nothing of its kind is compiled any more. */
    private static double fullestCodeHeap() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool ->
                        pool.getName().startsWith("CodeHeap") || pool.getName().equals("CodeCache"))
                .map(MemoryPoolMXBean::getUsage)
                .mapToDouble(JvmFacts::share)
                .max()
                .orElse(0);
    }

    private static double share(MemoryUsage usage) {
        return usage.getMax() <= 0 ? 0 : (double) usage.getUsed() / usage.getMax();
    }
}
