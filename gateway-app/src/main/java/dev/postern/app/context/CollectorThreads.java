package dev.postern.app.context;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Processor time of the threads that collect garbage during pauses. A pause that is long because other processes use the cores is not
 * caused by the heap.
 */
final class CollectorThreads {

    private static final String TASKS = "self/task";

    /** Thread names of HotSpot; the serial collector runs on the VM thread. */
    private static final Pattern NAMES = Pattern.compile("GC Thread#.*|ParGC Thread#.*|VM Thread");

    private static final double NANOS_PER_MILLI = 1e6;

    private final ProcFiles proc;

    CollectorThreads(ProcFiles proc) {
        this.proc = proc;
    }

    /** Returns the processor time of the threads since their start in milliseconds; not a number if the kernel does not report it. */
    double millis() {
        double all = 0;
        boolean notified = false;
        for (String task : proc.names(TASKS)) {
            if (NAMES.matcher(proc.text(TASKS + "/" + task + "/comm")).matches()) {
                List<String> times = proc.words(TASKS + "/" + task + "/schedstat");
                notified |= !times.isEmpty();
                all += times.isEmpty() ? 0 : Double.parseDouble(times.get(0)) / NANOS_PER_MILLI;
            }
        }
        return notified ? all : Double.NaN;
    }
}
