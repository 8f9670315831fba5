package dev.postern.app.context;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

/**
 * AOT cache of the JVM: classes, loaded and linked, and profiles of methods, recorded by an earlier run.
 *
 * @param jdk feature version of the JVM
 * @param file that the flags of the JVM name; empty for none
 * @param mapped whether the file is in the memory of the process
 */
record AotCache(int jdk, String file, boolean mapped) {

    private static final int FIRST_JDK = 25;
    private static final String ITEM = "aot-cache";
    private static final String IN_USE = "in use";

    /**
     * Reads the cache of this process. The JVM ignores a cache that does not fit and starts without, so the flag alone proves nothing; a cache in
     * use is mapped.
     */
    static AotCache read(ProcFiles proc) {
        String file = flag();
        return new AotCache(Runtime.version().feature(), file, mapped(file, proc.text("self/maps")));
    }

    private static String flag() {
        HotSpotDiagnosticMXBean vm = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        try {
            return vm.getVMOption("AOTCache").getValue();
        } catch (IllegalArgumentException e) {
            return ""; // an earlier JDK, or the VM is not HotSpot
        }
    }

    /** Compares names without folders, because the kernel lists real paths and the flag may name a link. */
    static boolean mapped(String file, String maps) {
        return !file.isEmpty() && maps.contains("/" + Path.of(file).getFileName());
    }

    /** Returns the item. Only a cache that is named and not used is a drift, because the JVM hides nothing else. */
    ContextItem item() {
        if (jdk < FIRST_JDK) {
            return ContextItem.fact(ITEM, "none: JDK " + jdk + " has class-data sharing only");
        }
        if (file.isEmpty()) {
            return ContextItem.fact(ITEM, "none");
        }
        return ContextItem.setting(
                ITEM,
                IN_USE,
                mapped ? IN_USE : "refused",
                "Build the image again, or remove " + file
                        + " and start with ./postern: the JVM, a jar or a flag (collector, heap above 32 GiB, agent) differs from the"
                        + " recorded run. -Xlog:aot shows which.");
    }
}
