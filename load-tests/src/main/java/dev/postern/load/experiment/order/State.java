package dev.postern.load.experiment.order;

import dev.postern.load.measure.LiveHeap;
import dev.postern.load.measure.MetricsPage;
import dev.postern.load.measure.ProcessStatus;
import java.util.Locale;

/**
 * State of the gateway's process while it is quiet and after a full collection.
 *
 * @param liveHeap bytes of the reachable objects
 * @param direct bytes that the allocator of buffers has taken from the system
 * @param resident bytes of the process
 * @param threads without those of the JIT compilers, whose number follows the amount of code to compile
 */
record State(long liveHeap, long direct, long resident, int descriptors, int threads) {
    private static final double MEBIBYTE = 1024 * 1024;

    /** Counts the descriptors before it reads the admin address, which needs one. */
    static State of(long pid, int adminPort) {
        long liveHeap = LiveHeap.collected(pid);
        int descriptors = ProcessStatus.descriptors(pid);
        return new State(
                liveHeap,
                MetricsPage.read(adminPort).directMemory(),
                ProcessStatus.resident(pid),
                descriptors,
                ProcessStatus.workThreads(pid));
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "heap %.2f, direct %.2f, resident %.1f MiB, %d descriptors, %d threads",
                liveHeap / MEBIBYTE,
                direct / MEBIBYTE,
                resident / MEBIBYTE,
                descriptors,
                threads);
    }
}
