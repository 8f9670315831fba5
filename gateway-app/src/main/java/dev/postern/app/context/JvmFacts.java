package dev.postern.app.context;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.List;

/**
 * Facts that the JVM reports about itself.
 *
 * @param mode as in the output of {@code java -version}, such as {@code mixed mode, sharing}
 * @param highestTier the highest compilation tier in use; 4 is C2
 * @param codeCache used share of the fullest segment of the code cache, 0..1
 * @param flags of the command line
 * @param assertions whether assertions are enabled
 * @param collectors names of the garbage collectors
 * @param processors available to the JVM
 * @param maxHeap bytes
 * @param maxDirect maximum of bytes in buffers outside the heap
 */
record JvmFacts(
        String mode,
        int highestTier,
        double codeCache,
        List<String> flags,
        boolean assertions,
        List<String> collectors,
        int processors,
        long maxHeap,
        long maxDirect) {

    private static final int C2 = 4;

    /** Returns the names of the compilers in use. */
    String compilers() {
        if (mode.contains("interpreted")) {
            return "none";
        }
        return highestTier < C2 || mode.contains("emulated-client") ? "C1" : "C1 and C2";
    }

    /** Reads the facts of this process. */
    static JvmFacts read() {
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
            return C2; // the VM is not HotSpot
        }
    }

    /** Returns the used share of the fullest segment. A full segment stops the compilation of its kind of code. */
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
